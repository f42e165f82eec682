//! Clusters without a kubelet.

use clew_e2e::{Identity, Options};

use crate::footprint::Footprint;
use crate::harness::{eventually, name, phases, turn, up};

#[test]
fn simulated_nodes_are_ready_and_run_pods() {
    let _turn = turn();
    let name = name("simulated");
    let before = Footprint::clean(&name);
    let cluster = up(Options { control_plane_only: true, kwok: 7, ..Options::new(name.clone()) });
    let parts: Vec<String> = cluster.status().unwrap().parts.into_iter().map(|part| part.name).collect();
    assert!(!parts.iter().any(|part| part == "kubelet" || part == "containerd"), "{parts:?}");

    let nodes = cluster.kubectl(Identity::Admin, &["get", "nodes", "--no-headers"]).unwrap();
    assert_eq!(nodes.lines().filter(|line| line.contains(" Ready ")).count(), 7, "{nodes}");
    cluster.kubectl(Identity::Deployer, &["create", "deployment", "web", "--image=none", "--replicas=9"]).unwrap();
    eventually("nine pods on simulated nodes", || {
        (phases(&cluster).iter().filter(|phase| *phase == "Running").count() == 9).then_some(())
    });
    drop(cluster);
    assert_eq!(Footprint::of(&name), before);
}

#[test]
fn a_control_plane_alone_has_no_nodes() {
    let _turn = turn();
    let cluster = up(Options { control_plane_only: true, ..Options::new(name("control")) });
    assert_eq!(cluster.kubectl(Identity::Admin, &["get", "nodes", "-o", "name"]).unwrap(), "");
    let user = cluster.kubectl(Identity::Deployer, &["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"]);
    assert_eq!(user.unwrap(), "system:serviceaccount:ci:deployer");
}
