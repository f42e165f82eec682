//! Runs of traced commands, put into a real store as a tracer of commands would, and asked for over the real binary.
//!
//! The store stays in the target folder: the page's own tests look at it in a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clew_collect::encode::otlp_protobuf;
use clew_model::{Attributes, Span, SpanId, Status, Time, TraceId};
use clew_store::lake::{Lake, Options};
use clew_store::{Record, Run, Store};
use serde_json::Value;

use crate::clew::Clew;
use crate::http;

const SECOND: i64 = 1_000_000_000;
const RUNS: u8 = 20;
/// From this run on, the base image takes longer to pull.
const SLOWER_FROM: u8 = 12;
const STEPS: [(&str, i64); 4] =
    [("select driver", 400), ("pull base image", 6000), ("prepare Kubernetes", 9000), ("verify components", 3000)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs")
}

fn steps(number: u8) -> impl Iterator<Item = (&'static str, i64)> {
    // A few milliseconds more or less, as on any machine.
    let noise = move |ms: i64| ms + i64::from(number % 3) * ms / 100;
    STEPS.into_iter().map(move |(name, ms)| {
        let slow = name == "pull base image" && number >= SLOWER_FROM;
        (name, noise(if slow { ms * 2 } else { ms }) * 1_000_000)
    })
}

fn attribute(key: &str, value: &str) -> Attributes {
    let mut attributes = Attributes::new();
    attributes.push(key, value);
    attributes
}

/// A run as a tracer of commands tells of it: its record, and a span for each step.
fn run(number: u8, now: Time) -> [Record; 2] {
    let id = TraceId::from_bytes([number + 1; 16]);
    let start = now.saturating_sub(i64::from(RUNS - number) * 60 * SECOND);
    let resource = Arc::new(attribute("service.name", "minikube"));
    let mut whole = Span::new(id, SpanId::from_bytes([number + 1; 8]), "minikube start", start);
    let (mut spans, mut at) = (Vec::new(), start);
    for (place, (name, nanos)) in (1..).zip(steps(number)) {
        let mut step = Span::new(id, SpanId::from_bytes([number + 1, place, 1, 1, 1, 1, 1, 1]), name, at);
        at = at.saturating_add(nanos);
        (step.parent, step.end, step.resource) = (Some(whole.span_id), Some(at), Arc::clone(&resource));
        spans.push(step);
    }
    (whole.end, whole.resource) = (Some(at), resource);
    spans.push(whole);
    let failed = number == 7;
    let run = Run {
        id,
        command: "minikube start".into(),
        version: format!("1.{}.{number}", if number < SLOWER_FROM { 3 } else { 4 }).into(),
        start,
        end: Some(at),
        status: if failed { Status::error("exit status 80") } else { Status::default() },
        attributes: attribute("driver", "docker"),
    };
    [Record::Spans(otlp_protobuf(&spans)), Record::Run(Box::new(run))]
}

fn fill() {
    let _ = std::fs::remove_dir_all(folder());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let lake = Lake::open(Options::at(folder())).await.unwrap();
        let now = clew_collect::weaving::Clock::wall();
        for number in 0..RUNS {
            lake.append(run(number, now).into()).await.unwrap();
        }
        lake.close().await.unwrap();
    });
}

fn ask(clew: &Clew, path: &str) -> Value {
    let answer = http::get(&clew.address, path, &std::collections::BTreeMap::default(), None);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn runs_are_found_again_with_their_steps() {
    fill();
    let clew = Clew::at(&folder());
    let all = ask(&clew, "/api/v1/runs?command=minikube%20start&limit=100");
    let runs = all["runs"].as_array().unwrap();
    assert_eq!(runs.len(), usize::from(RUNS));
    assert_eq!((&runs[0]["version"], &runs[0]["attributes"]["driver"]), (&"1.4.19".into(), &"docker".into()));
    let failed: Vec<&Value> = runs.iter().filter(|run| run["status"]["code"] == "error").collect();
    assert_eq!((failed.len(), &failed[0]["version"]), (1, &"1.3.7".into()));
    for (number, shown) in (0..RUNS).rev().zip(runs) {
        let took: i64 = steps(number).map(|(_, nanos)| nanos).sum();
        assert_eq!(shown["durationMs"].to_string(), format!("{}.0", took / 1_000_000), "run {number}");
    }
    let one = ask(&clew, &format!("/api/v1/runs/{}", runs[0]["id"].as_str().unwrap()));
    let names: Vec<&str> = one["spans"].as_array().unwrap().iter().filter_map(|span| span["name"].as_str()).collect();
    assert!(STEPS.iter().all(|(name, _)| names.contains(name)), "{names:?}");
    let counted = ask(&clew, "/api/v1/stats?of=runs");
    assert_eq!(counted["series"][0]["points"][0]["count"], u64::from(RUNS));
}
