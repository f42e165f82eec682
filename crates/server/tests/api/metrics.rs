//! Metrics, as Prometheus reads them.

use std::sync::Arc;

use clew_server::{App, Counter, DropReport, Report, StageReport, router};

use crate::support::{ask, rollout};

fn report() -> Report {
    let facts = |source: &str, value| Counter {
        name: "facts",
        help: "Facts that came in, by source.",
        labels: vec![("source", source.to_owned())],
        value,
    };
    Report {
        stages: vec![StageReport { name: "weave".into(), queued: 3, capacity: 100, lag_seconds: 0.25 }],
        drops: vec![DropReport { stage: "intake".into(), reason: "too large".into(), count: 4 }],
        counters: vec![facts("audit", 7), facts("watch", 8)],
        ..Report::default()
    }
}

#[tokio::test]
async fn every_stage_and_every_drop_is_a_metric() {
    let app = App::new(rollout()).reporting(Arc::new(report));
    let routes = router(app);
    ask(routes.clone(), "/api/v1/journeys/xyz").await.error(400);
    let text = ask(routes, "/metrics").await.text;
    for line in [
        "clew_stage_lag_seconds{stage=\"weave\"} 0.25",
        "clew_dropped_total{stage=\"intake\",reason=\"too large\"} 4",
        "clew_dropped_total{stage=\"store\",reason=\"too large\"} 2",
        "clew_facts_total{source=\"audit\"} 7",
        "clew_facts_total{source=\"watch\"} 8",
        "clew_http_requests_total{route=\"/api/v1/journeys/{id}\",status=\"400\"} 1",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is missing:\n{text}");
    }
}

#[tokio::test]
async fn every_family_is_told_once_with_its_type() {
    let text = ask(router(App::new(rollout()).reporting(Arc::new(report))), "/metrics").await.text;
    let mut families: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let count = families.len();
    families.sort_unstable();
    families.dedup();
    assert_eq!(families.len(), count);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        assert!(families.iter().any(|family| family.split(' ').next() == Some(name)), "{line} has no family");
    }
}
