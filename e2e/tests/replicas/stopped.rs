//! The replica that leads hangs, and goes on later as if nothing had been; and one that is asked to end gives way at once.

use std::time::{Duration, Instant};

use crate::harness::{eventually, turn};
use crate::pair::Pair;
use crate::replica::agree;

#[test]
fn a_leader_that_hung_does_not_act_when_another_leads() {
    let _turn = turn();
    let mut pair = Pair::up("replicas-stopped");
    pair.kubectl(&["create", "namespace", "shop"]);
    let mut names = vec!["before".to_owned()];
    pair.kubectl(&["create", "configmap", "before", "-n", "shop"]);
    let (leader, other) = (pair.leader(), 1 - pair.leader());
    pair.replicas[leader].signal("STOP");
    eventually("the other to lead", || pair.replicas[other].leads().then_some(()));
    let heard = pair.arrived().1.len();
    for number in 0..5 {
        let name = format!("after-{number}");
        pair.kubectl(&["create", "configmap", &name, "-n", "shop"]);
        names.push(name);
    }
    pair.replicas[leader].signal("CONT");
    let journeys = agree(&pair.replicas[0], &pair.replicas[1], "shop", &names);
    let twice = pair.all_arrive(&journeys);
    assert!(twice.is_empty(), "nothing arrives twice: {twice:?}");
    assert!(!pair.replicas[leader].leads() && pair.replicas[other].leads());
    let name = pair.replicas[other].plan.name;
    let senders = &pair.arrived().1[heard..];
    assert!(senders.iter().all(|sender| sender == name), "only {name} forwards: {senders:?}");

    // Asked to end, it gives the Lease back: nobody waits until it runs out.
    let at = Instant::now();
    pair.replicas[other].signal("TERM");
    eventually("the first to lead again", || pair.replicas[leader].leads().then_some(()));
    println!("the Lease was handed over in {:?}", at.elapsed());
    assert!(at.elapsed() < Duration::from_secs(8), "{:?}", at.elapsed());
    pair.replicas.remove(other).ended();
    pair.kubectl(&["create", "configmap", "last", "-n", "shop"]);
    names.push("last".to_owned());
    let journeys = eventually("the last change", || {
        let journeys = pair.replicas[0].journeys("shop");
        journeys.iter().any(|journey| journey["root"]["name"] == "last").then_some(journeys)
    });
    let twice = pair.all_arrive(&journeys);
    assert!(twice.is_empty(), "nothing arrives twice after a handover, either: {twice:?}");
}
