//! Tempo's API, asked as Grafana's datasource asks it, over real captures.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod datasource;
mod metrics;
mod search;
#[path = "../support/mod.rs"]
mod support;
mod trace;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request};
use clew_server::router;
use http_body_util::BodyExt;
use serde_json::Value;
use support::app;
use tower::ServiceExt;

/// Asks as Grafana does, with a path below `/tempo` and parameters that are encoded here.
async fn grafana(path: &str, parameters: &[(&str, &str)]) -> support::Answer {
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let query: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={}", encode(value))).collect();
    support::get(&format!("/tempo{path}?{}", query.join("&"))).await
}

/// Asks for protobuf.
async fn protobuf(path: &str) -> (HeaderMap, Bytes) {
    let request = Request::get(path).header("accept", "application/protobuf").body(Body::empty()).unwrap();
    let response = router(app()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let (parts, body) = response.into_parts();
    (parts.headers, body.collect().await.unwrap().to_bytes())
}

/// What the search finds.
async fn found(query: &str) -> Vec<Value> {
    let answer = grafana("/api/search", &[("q", query), ("limit", "20"), ("spss", "10")]).await.good();
    answer["traces"].as_array().unwrap().clone()
}

/// The words of a refusal.
async fn refused(path: &str, query: &str) -> String {
    let answer = grafana(path, &[("q", query)]).await;
    assert_eq!(answer.status, 400, "{}", answer.text);
    answer.text
}
