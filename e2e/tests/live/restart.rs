//! The API server is killed and started again while clew watches.

use std::sync::Arc;

use clew_collect::live::SourceState;
use clew_e2e::{Identity, Options};
use clew_weave::fact::Observed;

use crate::harness::{eventually, name, turn, up};
use crate::live::Live;
use crate::server::restart_api_server;

#[test]
fn an_api_server_that_comes_back_is_watched_again_and_nothing_is_lost() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let options = Options { control_plane_only: true, ..Options::new(name("live-restart")) };
    let cluster = up(options);
    let alice = |arguments: &[&str]| cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|e| panic!("{e}"));
    let live = Live::start(&cluster, folder.path(), Arc::default());
    alice(&["create", "configmap", "before", "--from-literal=a=1"]);
    eventually("what was made before", || (live.seen("before") == [Observed::Added]).then_some(()));
    let _server = restart_api_server(&cluster, || {
        eventually("a source that says so", || {
            let sources = live.parts.sources.list();
            sources.iter().any(|source| source.state == SourceState::Waiting).then_some(())
        });
    });
    alice(&["create", "configmap", "after", "--from-literal=a=1"]);
    alice(&["delete", "configmap", "before"]);
    eventually("what was made after", || (live.seen("after") == [Observed::Added]).then_some(()));
    eventually("the deletion", || (live.seen("before") == [Observed::Added, Observed::Deleted]).then_some(()));
    eventually("all sources to be up again", || {
        let sources = live.parts.sources.list();
        sources.iter().all(|source| source.state == SourceState::Up).then_some(())
    });
    live.end();
}
