//! clew is away while the cluster goes on, and etcd forgets: what happened is told, and nothing is made up.

use std::sync::Arc;

use clew_e2e::{Cluster, Identity, Options};
use clew_weave::fact::Observed;

use crate::harness::{eventually, name, turn, up};
use crate::live::{Live, observations};
use crate::server::{compact, restart_api_server};

#[test]
fn a_restart_goes_on_where_it_was_and_a_forgotten_version_is_told_as_what_happened() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let options = Options { control_plane_only: true, ..Options::new(name("live-gap")) };
    let cluster = up(options);
    let alice = |arguments: &[&str]| cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|e| panic!("{e}"));
    for name in ["same", "changed", "gone"] {
        alice(&["create", "configmap", name, "--from-literal=a=1"]);
    }
    let live = Live::start(&cluster, folder.path(), Arc::default());
    for name in ["same", "changed", "gone"] {
        eventually("the list", || (live.seen(name) == [Observed::Listed]).then_some(()));
    }
    let store = live.end();

    // A short absence: the API server still has every change.
    alice(&["create", "configmap", "brief", "--from-literal=a=1"]);
    alice(&["delete", "configmap", "brief"]);
    let live = Live::start(&cluster, folder.path(), store);
    eventually("the whole life of what came and went", || {
        (live.seen("brief") == [Observed::Added, Observed::Deleted]).then_some(())
    });
    assert_eq!(live.seen("same"), [Observed::Listed], "nothing is told twice");
    let store = live.end();
    let before = observations(&store).len();

    // A long one: etcd and the API server have forgotten the versions in between.
    alice(&["patch", "configmap", "changed", "-p", r#"{"data": {"a": "2"}}"#]);
    alice(&["delete", "configmap", "gone"]);
    alice(&["create", "configmap", "new", "--from-literal=a=1"]);
    let _server = restart_api_server(&cluster, || compact(&cluster));
    let lists = lists(&cluster);
    let live = Live::start(&cluster, folder.path(), store);
    eventually("the deletion", || live.seen("gone").contains(&Observed::Deleted).then_some(()));
    assert!(self::lists(&cluster) > lists, "the version was forgotten, so that the resource was listed anew");
    assert_eq!(live.seen("gone"), [Observed::Listed, Observed::Deleted]);
    assert_eq!(live.seen("changed"), [Observed::Listed, Observed::Modified]);
    assert_eq!(live.seen("new"), [Observed::Added]);
    assert_eq!(live.seen("same"), [Observed::Listed]);
    let store = live.end();
    let told = observations(&store).split_off(before);
    let listed: Vec<_> = told.iter().filter(|it| it.observed == Observed::Listed).collect();
    assert!(listed.is_empty(), "a known resource's list holds nothing of unknown origin: {listed:?}");
}

/// How often clew has listed all ConfigMaps, by the audit log.
fn lists(cluster: &Cluster) -> usize {
    let log = std::fs::read_to_string(cluster.folder().audit_log()).unwrap();
    log.lines().filter(|line| line.contains(r#""requestURI":"/api/v1/configmaps?limit=250""#)).count()
}
