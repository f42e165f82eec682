//! The replica that leads is killed in the midst of everything, and comes back.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::harness::{eventually, turn};
use crate::load::Spans;
use crate::pair::{Pair, again};
use crate::replica::{Replica, agree};

/// A killed leader's Lease runs out after eight seconds; the rest is what a busy machine may need.
const TAKEN_WITHIN: Duration = Duration::from_secs(20);

#[test]
fn a_killed_leader_leaves_no_gap_and_no_duplicate() {
    let _turn = turn();
    let mut pair = Pair::up("replicas-killed");
    let spans = Spans::start(pair.replicas.iter().map(|replica| replica.plan.otlp).collect());
    let mut names = Vec::new();
    pair.kubectl(&["create", "namespace", "shop"]);
    for _ in 0..4 {
        change(&pair, &mut names);
    }
    // Some have gone out when the leader is killed, others wait to, and others are being made.
    eventually("the first journeys to arrive", || (!pair.arrived().0.is_empty()).then_some(()));
    for _ in 0..2 {
        change(&pair, &mut names);
    }
    let leader = pair.leader();
    let killed = pair.replicas.remove(leader);
    let (plan, at) = (killed.plan.clone(), Instant::now());
    killed.signal("KILL");
    killed.ended();
    eventually("the other to lead", || pair.replicas[0].leads().then_some(()));
    let taken = at.elapsed();
    println!("the Lease was taken {taken:?} after the kill");
    assert!(taken < TAKEN_WITHIN, "{taken:?}");
    for _ in 0..2 {
        change(&pair, &mut names);
    }
    println!("{} changes, {} requests", names.len(), spans.sent());
    pair.replicas.push(again(&pair.cluster, &plan));
    change(&pair, &mut names);
    let acknowledged = spans.end();
    assert!(acknowledged.len() > 20, "{}", acknowledged.len());

    let journeys = agree(&pair.replicas[0], &pair.replicas[1], "shop", &names);
    for replica in &pair.replicas {
        eventually("every acknowledged span, once", || has_each_once(replica, &acknowledged).then_some(()));
    }
    let twice = pair.all_arrive(&journeys);
    // What was under way when it was killed, and whose answer nobody heard, the other had to send again.
    println!("{} of {} spans arrived twice", twice.len(), pair.arrived().0.len());
    assert!(twice.len() <= 512, "more than one request arrived twice: {twice:?}");
    assert!(pair.replicas[0].leads() && !pair.replicas[1].leads(), "the one that came back does not take over");
}

/// A change that converges at once, and one that has pods.
fn change(pair: &Pair, names: &mut Vec<String>) {
    let number = names.len();
    let (config, web) = (format!("config-{number}"), format!("web-{number}"));
    pair.kubectl(&["create", "configmap", &config, "-n", "shop", "--from-literal=a=1"]);
    pair.kubectl(&["create", "deployment", &web, "-n", "shop", "--image=none", "--replicas=1"]);
    names.extend([config, web]);
}

fn has_each_once(replica: &Replica, acknowledged: &[String]) -> bool {
    let rows = replica.sql("select trace_id from spans where service = 'replicas'");
    let traces: Vec<&str> = rows.iter().map(|row| row["trace_id"].as_str().unwrap()).collect();
    let unique: BTreeSet<&str> = traces.iter().copied().collect();
    unique.len() == traces.len() && acknowledged.iter().all(|trace| unique.contains(trace.as_str()))
}
