//! The scenes of the captures with every combination of sources.

use std::collections::BTreeSet;
use std::path::Path;

use clew_e2e::record::{Half, actions};
use clew_e2e::{Cluster, Options};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::capture::{Capture, woven};
use crate::clew::{Clew, Sources};
use crate::front::Front;
use crate::harness::{PATIENCE, name, turn, up};
use crate::inside::freeze;
use crate::playing::Scenes;
use crate::tee;
use crate::told::{Told, difference, told};

/// The scenes of the four captures, and the namespaces that they play in.
const SCENES: [&str; 4] = ["rollout", "broken", "operator", "busy"];
const NAMESPACES: [&str; 7] = ["shop", "lab", "tenant", "depot", "sites", "store", "vault"];
const WATCH: Sources = Sources { watch: true, audit: false, spans: None };
const AUDIT: Sources = Sources { watch: false, audit: true, spans: None };
const BOTH: Sources = Sources { watch: true, audit: true, spans: None };

#[test]
fn every_combination_of_sources_gives_the_journeys_of_a_capture() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let (recorded, taken) = (tee::free_port(), tee::free_port());
    let port = tee::serve(&runtime, &[recorded, taken]);
    let cluster = up(Options {
        tracing_endpoint: Some(format!("127.0.0.1:{port}")),
        reach: vec![port],
        ..Options::new(name("scenes-sources"))
    });
    let scenes = Scenes::find(&SCENES);
    scenes.play(&cluster, Half::Prepare);
    let capture = Capture::start(&cluster, folder.path().join("capture"), recorded);
    let all = Sources { spans: Some(taken), ..BOTH };
    let combinations = [("watch", WATCH), ("audit", AUDIT), ("audit,watch", BOTH), ("audit,watch,otlp", all)];
    let clews = combinations.map(|(name, sources)| Clew::up(name, sources, &cluster, folder.path()));
    played(&scenes, &cluster, &clews, capture, &["watch", "audit", "audit,watch", "audit,watch,otlp"]);
}

#[test]
fn the_webhook_gives_operators_that_know_nothing_of_tracing_one_journey_per_change() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let (recorded, taken) = (tee::free_port(), tee::free_port());
    let port = tee::serve(&runtime, &[recorded, taken]);
    let fronts = [Front::serve(&runtime), Front::serve(&runtime)];
    let cluster = up(Options {
        tracing_endpoint: Some(format!("127.0.0.1:{port}")),
        reach: vec![port, fronts[0].port, fronts[1].port],
        ..Options::new(name("scenes-webhook"))
    });
    let scenes = Scenes::find(&["rollout", "broken", "operator", "busy", "kopf", "helm", "sealed"]);
    scenes.play(&cluster, Half::Prepare);
    let capture = Capture::start(&cluster, folder.path().join("capture"), recorded);
    let all = Sources { spans: Some(taken), ..BOTH };
    let clews = [("managed", WATCH), ("full", all)];
    let clews = clews.map(|(name, sources)| Clew::up(name, sources, &cluster, folder.path()));
    for (front, clew) in fronts.iter().zip(&clews) {
        front.call(clew, &cluster);
    }
    played(&scenes, &cluster, &clews, capture, &["watch", "audit,watch,otlp"]);
}

/// Plays the scenes; then each clew tells what the capture tells with the same sources, and one journey for each change.
fn played(scenes: &Scenes, cluster: &Cluster, clews: &[Clew], capture: Capture, same: &[&str]) {
    scenes.play(cluster, Half::Scene);
    freeze(cluster);
    settle(clews);
    let capture = capture.end();
    let asked = asked_for(cluster);
    for (clew, sources) in clews.iter().zip(same) {
        agrees(clew, &capture, sources);
        if clew.sources.audit {
            begins_with_what_was_asked(clew, &asked);
        }
    }
}

/// Waits until no clew learns anything any more.
fn settle(clews: &[Clew]) {
    let all = || clews.iter().map(|clew| told(&clew.journeys(), &NAMESPACES)).collect::<Vec<Told>>();
    let (start, mut before) = (std::time::Instant::now(), all());
    loop {
        std::thread::sleep(std::time::Duration::from_secs(3));
        let now = all();
        if now == before {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "journeys still change");
        before = now;
    }
}

fn agrees(clew: &Clew, capture: &Path, sources: &str) {
    let (live, recorded) = (told(&clew.journeys(), &NAMESPACES), told(&woven(capture, sources), &NAMESPACES));
    println!("{}: {} journeys live, {} recorded", clew.name, live.len(), recorded.len());
    assert!(recorded.len() >= 30, "{}: {} journeys are too few for four scenes", clew.name, recorded.len());
    let segments = live.values().any(|journey| journey["segments"].as_array().is_some_and(|list| !list.is_empty()));
    assert_eq!(segments, clew.sources.spans.is_some(), "{} has segments if it gets spans", clew.name);
    if let Some(words) = difference(&without_segments(live), &without_segments(recorded)) {
        panic!("{} tells another story than the capture:\n{words}", clew.name);
    }
}

/// The story without its native traces: those of the last deletions may be in the recording and not yet with clew.
fn without_segments(mut told: Told) -> Told {
    for journey in told.values_mut() {
        journey["segments"] = Value::Null;
    }
    told
}

/// The audit ids of all that people and pipelines changed in the scenes' namespaces.
fn asked_for(cluster: &Cluster) -> BTreeSet<String> {
    let log = std::fs::read_to_string(cluster.folder().audit_log()).unwrap();
    let ours = |place: &Option<String>| place.as_ref().is_some_and(|place| NAMESPACES.contains(&place.as_str()));
    let asked = actions(&log).into_iter();
    let asked = asked.filter(|it| ours(&it.namespace) || (it.resource == "namespaces" && ours(&it.name)));
    asked.map(|action| action.audit_id).collect()
}

/// Every change that was asked for began one journey, and nothing else began one but a timer.
fn begins_with_what_was_asked(clew: &Clew, asked: &BTreeSet<String>) {
    let live = told(&clew.journeys(), &NAMESPACES);
    let by_request = live.values().filter(|journey| journey["root"]["kind"] == "request");
    let roots: Vec<&Value> = by_request.map(|journey| &journey["root"]).collect();
    let begun: BTreeSet<String> =
        roots.iter().map(|root| root["auditID"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(begun.len(), roots.len(), "{}: each change began one", clew.name);
    let invented: Vec<&&Value> =
        roots.iter().filter(|root| !asked.contains(root["auditID"].as_str().unwrap_or(""))).collect();
    assert!(invented.is_empty(), "{}: nobody asked for {invented:?}", clew.name);
    let missing: Vec<&String> = asked.difference(&begun).collect();
    assert!(missing.is_empty(), "{}: no journey begins with {missing:?}", clew.name);
}
