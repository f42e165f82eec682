//! A custom resource that is deleted with all its objects, and made again under the same name.

use std::sync::Arc;

use clew_e2e::{Cluster, Identity, Options};
use clew_weave::fact::Observed;

use crate::harness::{eventually, name, turn, up};
use crate::live::{Live, observations};

pub(crate) const DEFINITION: &str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "things.example.com"}, "spec": {"group": "example.com", "scope": "Namespaced",
  "names": {"plural": "things", "singular": "thing", "kind": "Thing"}, "versions": [{"name": "v1", "served": true,
  "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}"#;

pub(crate) fn apply(cluster: &Cluster, object: &str) {
    eventually("the object to be taken", || cluster.kubectl_with(Identity::Alice, &["apply", "-f", "-"], object).ok());
}

fn thing(name: &str) -> String {
    format!(
        r#"{{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {{"name": "{name}"}}, "spec": {{"size": 1}}}}"#
    )
}

#[test]
fn a_definition_that_is_deleted_and_made_again_is_watched_again() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let options = Options { control_plane_only: true, ..Options::new(name("live-definition")) };
    let cluster = up(options);
    let live = Live::start(&cluster, folder.path(), Arc::default());
    apply(&cluster, DEFINITION);
    apply(&cluster, &thing("one"));
    eventually("the first thing", || live.seen("one").contains(&Observed::Added).then_some(()));
    let delete = ["delete", "crd", "things.example.com", "--timeout=60s"];
    cluster.kubectl(Identity::Alice, &delete).unwrap_or_else(|error| panic!("{error}"));
    eventually("its deletion", || live.seen("one").contains(&Observed::Deleted).then_some(()));
    eventually("the source to be gone", || {
        let sources = live.parts.sources.list();
        (!sources.iter().any(|source| source.name == "things.example.com")).then_some(())
    });
    apply(&cluster, DEFINITION);
    apply(&cluster, &thing("two"));
    apply(&cluster, &thing("one"));
    eventually("the second thing", || live.seen("two").contains(&Observed::Added).then_some(()));
    eventually("the first one again", || {
        (live.seen("one").iter().filter(|observed| **observed == Observed::Added).count() == 2).then_some(())
    });
    let store = live.end();
    let kinds: Vec<String> = observations(&store)
        .into_iter()
        .filter(|it| it.state.kind.resource == "things")
        .map(|it| format!("{:?} {} {}", it.observed, it.state.kind.kind, it.state.name))
        .collect();
    assert_eq!(kinds, ["Added Thing one", "Deleted Thing one", "Added Thing two", "Added Thing one"]);
}
