//! Jaeger's APIs, asked as its page, Grafana and gRPC clients ask them, over real captures.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod gateway;
mod grpc;
mod legacy;
#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;

/// Asks with a path below `/jaeger` and parameters that are encoded here.
async fn jaeger(path: &str, parameters: &[(&str, &str)]) -> support::Answer {
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let query: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={}", encode(value))).collect();
    support::get(&format!("/jaeger{path}?{}", query.join("&"))).await
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// A journey that a native trace belongs to.
async fn journey() -> Value {
    let list = support::get("/api/v1/journeys?verb=patch&limit=1").await.good();
    let id = list["journeys"][0]["journey"].as_str().unwrap().to_owned();
    support::get(&format!("/api/v1/journeys/{id}")).await.good()
}
