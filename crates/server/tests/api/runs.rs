//! Runs of traced commands.

use std::sync::Arc;

use clew_model::{Span, SpanId, Status, Time, TraceId};
use clew_server::{App, router};
use clew_store::Run;

use crate::support::{Memory, ask};

fn store() -> Memory {
    let id = TraceId::from_bytes([5; 16]);
    let start = Time::from_nanos(1_000_000_000);
    let run = Run {
        id,
        command: "minikube start".into(),
        version: "1.37".into(),
        start,
        end: Some(start.saturating_add(2_500_000)),
        status: Status::error("no driver"),
        attributes: clew_model::Attributes::new(),
    };
    let span = Span::new(id, SpanId::from_bytes([1; 8]), "pull", start);
    Memory { runs: vec![run], native: vec![span], ..Memory::default() }
}

#[tokio::test]
async fn runs_are_listed_and_shown_with_their_steps() {
    let routes = || router(App::new(Arc::new(store())));
    let runs = ask(routes(), "/api/v1/runs?command=minikube%20start").await.good();
    let run = &runs["runs"][0];
    assert_eq!((&run["durationMs"], &run["status"]["message"]), (&2.5.into(), &"no driver".into()));
    assert_eq!(ask(routes(), "/api/v1/runs?version=2").await.good()["runs"], serde_json::json!([]));
    let one = ask(routes(), &format!("/api/v1/runs/{}", run["id"].as_str().unwrap())).await.good();
    assert_eq!((&one["run"]["version"], &one["spans"][0]["name"]), (&"1.37".into(), &"pull".into()));
    assert!(ask(routes(), &format!("/api/v1/runs/{}", "ab".repeat(16))).await.error(404).starts_with("no run"));
}
