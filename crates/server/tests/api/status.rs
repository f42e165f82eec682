//! How clew is, as it tells itself.

use std::sync::Arc;

use crate::support::{Memory, ask, pretty};
use clew_server::{App, DropReport, Report, SourceReport, SourceState, StageReport, router};
use clew_store::StoreError;

fn report() -> Report {
    Report {
        sources: vec![SourceReport {
            name: "audit webhook".into(),
            kind: "audit".into(),
            cluster: "lab".into(),
            state: SourceState::Up,
            last_seen: Some("2026-01-02T03:04:05Z".parse().unwrap()),
            rate: 12.5,
            message: "127.0.0.1:9443".into(),
        }],
        stages: vec![StageReport { name: "weave".into(), queued: 3, capacity: 100, lag_seconds: 0.25 }],
        drops: vec![DropReport { stage: "intake".into(), reason: "too large".into(), count: 4 }],
        ..Report::default()
    }
}

#[tokio::test]
async fn status_shows_sources_stages_and_drops_of_all_parts() {
    let app = App::new(Arc::new(Memory::default())).reporting(Arc::new(report));
    let mut status = ask(router(app), "/api/v1/status").await.good();
    assert!(status["started"].take().is_string());
    insta::assert_snapshot!(pretty(&status));
}

#[tokio::test]
async fn a_store_that_is_broken_makes_it_unready_and_is_told() {
    let store = || Arc::new(Memory { broken: Some(|| StoreError::Closed), ..Memory::default() });
    let status = ask(router(App::new(store())), "/api/v1/status").await.good();
    assert_eq!(status["doctor"][0]["message"], "the store is closed");
    let ready = ask(router(App::new(store())), "/readyz").await;
    assert_eq!(ready.error(503), "not ready: the store is closed");
}

#[tokio::test]
async fn a_pipeline_that_is_not_ready_says_why() {
    let reporter = Arc::new(|| Report { not_ready: Some("weaving what was kept".into()), ..Report::default() });
    let app = App::new(Arc::new(Memory::default())).reporting(reporter);
    assert_eq!(ask(router(app.clone()), "/readyz").await.error(503), "not ready: weaving what was kept");
    assert_eq!(ask(router(app), "/healthz").await.text, "ok\n");
}
