//! A part of a cluster: one namespace for somebody who may see no other, and all but one.

use std::sync::Arc;

use clew_collect::live::SourceState;
use clew_collect::live::watch::Settings;
use clew_collect::watch::Scope;
use clew_e2e::{Identity, Options};
use clew_weave::fact::Observed;

use crate::harness::{eventually, name, turn, up};
use crate::install::kubeconfig_as;
use crate::live::Live;

#[test]
fn a_reader_of_one_namespace_watches_it_and_a_namespace_can_be_left_out() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options { control_plane_only: true, ..Options::new(name("live-scope")) });
    let admin = |arguments: &[&str]| cluster.kubectl(Identity::Admin, arguments).unwrap_or_else(|e| panic!("{e}"));
    admin(&["create", "namespace", "other"]);
    let view = ["create", "rolebinding", "reader", "--clusterrole=view", "--user=reader@example.com"];
    admin(&view);
    // A young cluster gathers the rules of `view` bit by bit.
    let can = ["auth", "can-i", "watch", "configmaps", "--as=reader@example.com"];
    eventually("the reader's rights", || cluster.kubectl(Identity::Admin, &can).ok());

    let scope = Scope { namespaces: vec!["default".to_owned()], ..Scope::default() };
    let reader = kubeconfig_as(&cluster, folder.path(), "reader@example.com");
    let settings = Settings { scope, ..Settings::default() };
    let one = Live::begin(&reader, settings, &folder.path().join("one"), Arc::default());
    eventually("the namespace", || (one.state("configmaps in default")? == SourceState::Up).then_some(()));
    eventually("what is forbidden", || (one.state("secrets in default")? == SourceState::Failed).then_some(()));
    assert_eq!(one.state("nodes"), None, "what lives in no namespace is not asked for");

    let scope = Scope { without_namespaces: vec!["other".to_owned()], ..Scope::default() };
    let settings = Settings { scope, ..Settings::default() };
    let kubeconfig = cluster.kubeconfig(Identity::Admin);
    let rest = Live::begin(&kubeconfig, settings, &folder.path().join("rest"), Arc::default());
    eventually("every resource, without the namespace", || rest.all_are_up().then_some(()));

    admin(&["-n", "other", "create", "configmap", "elsewhere", "--from-literal=a=1"]);
    admin(&["create", "configmap", "here", "--from-literal=a=1"]);
    for live in [&one, &rest] {
        eventually("what was made", || (live.seen("here") == [Observed::Added]).then_some(()));
        assert!(live.seen("elsewhere").is_empty());
    }
    one.end();
    rest.end();
}
