//! Clusters side by side.

use clew_e2e::{Identity, Options, Version};

use crate::footprint::Footprint;
use crate::harness::{name, turn, up};

#[test]
fn two_clusters_side_by_side_do_not_see_each_other() {
    let _turn = turn();
    let (one, two) = (name("side-one"), name("side-two"));
    let before = (Footprint::clean(&one), Footprint::clean(&two));
    let first = up(Options::new(one.clone()));
    let second = up(Options { kubernetes: Version::V1_36_1, ..Options::new(two.clone()) });

    first.kubectl(Identity::Alice, &["create", "configmap", "only-here"]).unwrap();
    assert!(first.kubectl(Identity::Bob, &["get", "configmap", "only-here"]).is_ok());
    assert!(second.kubectl(Identity::Bob, &["get", "configmap", "only-here"]).is_err());
    let versions = [&first, &second].map(|cluster| {
        let query = ["get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}"];
        cluster.kubectl(Identity::Admin, &query).unwrap()
    });
    assert_eq!(versions, ["v1.34.4", "v1.36.1"]);

    drop(first);
    assert!(second.kubectl(Identity::Admin, &["get", "nodes"]).is_ok(), "the second must outlive the first");
    drop(second);
    assert_eq!((Footprint::of(&one), Footprint::of(&two)), before);
}
