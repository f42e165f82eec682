//! The two replicas cannot reach each other for a while.

use crate::harness::{eventually, turn};
use crate::load::Spans;
use crate::pair::Pair;
use crate::replica::{Replica, agree};

#[test]
fn replicas_that_were_parted_have_the_same_when_they_meet_again() {
    let _turn = turn();
    let pair = Pair::up("replicas-parted");
    pair.kubectl(&["create", "namespace", "shop"]);
    pair.between.iter().for_each(|way| way.cut(true));
    let spans = Spans::start(pair.replicas.iter().map(|replica| replica.plan.otlp).collect());
    let names: Vec<String> = (0..6).map(|number| format!("apart-{number}")).collect();
    for name in &names {
        pair.kubectl(&["create", "deployment", name, "-n", "shop", "--image=none", "--replicas=1"]);
    }
    for replica in &pair.replicas {
        eventually("the other to be missed", || {
            replica.source("replica").filter(|source| source["state"] == "waiting")
        });
    }
    eventually("enough spans at each", || (spans.sent() > 40).then_some(()));
    for replica in &pair.replicas {
        let all = usize::try_from(spans.sent()).unwrap();
        assert!(count(replica) < all * 3 / 4, "each has only its own");
    }
    pair.between.iter().for_each(|way| way.cut(false));
    let acknowledged = spans.end();
    let journeys = agree(&pair.replicas[0], &pair.replicas[1], "shop", &names);
    for replica in &pair.replicas {
        eventually("the spans of both", || (count(replica) == acknowledged.len()).then_some(()));
        eventually("the other to be there", || replica.source("replica").filter(|source| source["state"] == "up"));
    }
    let twice = pair.all_arrive(&journeys);
    assert!(twice.is_empty(), "nothing arrives twice: {twice:?}");
}

fn count(replica: &Replica) -> usize {
    replica.sql("select trace_id from spans where service = 'replicas'").len()
}
