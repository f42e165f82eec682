//! The third version of the API over HTTP.

use axum::body::Body;
use axum::http::Request;
use clew_server::router;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{jaeger, journey, support, texts};

const EVER: [(&str, &str); 2] =
    [("query.start_time_min", "2020-01-01T00:00:00Z"), ("query.start_time_max", "2100-01-01T00:00:00.5Z")];

#[tokio::test]
async fn services_and_operations_are_strict() {
    let services = jaeger("/api/v3/services", &[]).await.good();
    assert!(texts(&services["services"]).contains(&"kubernetes"));
    let operations = jaeger("/api/v3/operations", &[("service", "kubelet"), ("span_kind", "internal")]).await.good();
    for operation in operations["operations"].as_array().unwrap() {
        assert!(operation["name"].is_string() && operation["spanKind"] == "internal", "{operation}");
    }
}

fn spans(answer: &Value) -> Vec<&Value> {
    let groups = answer["result"]["resourceSpans"].as_array().unwrap().iter();
    groups.flat_map(|group| group["scopeSpans"][0]["spans"].as_array().unwrap()).collect()
}

#[tokio::test]
async fn a_trace_is_otlp_in_a_result() {
    let journey = journey().await;
    let (id, native) = (journey["journey"].as_str().unwrap(), journey["segments"][0].as_str().unwrap());
    let answer = jaeger(&format!("/api/v3/traces/{native}"), &[]).await.good();
    assert_eq!(spans(&answer).len(), journey["spans"].as_array().unwrap().len());
    assert!(spans(&answer).iter().all(|span| span["traceId"] == id && span["kind"].is_u64()));
    let raw = jaeger(&format!("/api/v3/traces/{native}"), &[("raw_traces", "true")]).await.good();
    assert!(spans(&raw).iter().all(|span| span["traceId"] == native));
    assert_eq!(jaeger("/api/v3/traces/1", &[]).await.json()["error"]["httpCode"], 404);
}

#[tokio::test]
async fn traces_and_summaries_agree() {
    let query = [&EVER[..], &[("query.service_name", "kubernetes"), ("query.search_depth", "5")]].concat();
    let traces = jaeger("/api/v3/traces", &query).await.good();
    let summaries = jaeger("/api/v3/trace-summaries", &query).await.good();
    let summaries = summaries["summaries"].as_array().unwrap();
    assert_eq!(summaries.len(), 5);
    let count: u64 = summaries.iter().map(|summary| summary["spanCount"].as_u64().unwrap()).sum();
    assert_eq!(count, spans(&traces).len() as u64);
    for summary in summaries {
        assert_eq!(summary["rootServiceName"], "kubernetes");
        assert_eq!(summary["orphanSpanCount"], 0, "a journey hangs together");
        let time = |key: &str| summary[key].as_str().unwrap().parse::<u64>().unwrap();
        assert!(time("minStartTimeUnixNano") <= time("maxEndTimeUnixNano"));
        let services = summary["services"].as_array().unwrap();
        let of_services: u64 = services.iter().map(|service| service["spanCount"].as_u64().unwrap()).sum();
        assert_eq!(summary["spanCount"], of_services);
    }
}

#[tokio::test]
async fn searches_go_by_attributes_under_either_name() {
    let attributes = [("query.attributes", r#"{"clew.kind":"journey"}"#)];
    let snake = jaeger("/api/v3/trace-summaries", &[&EVER[..], &attributes].concat()).await.good();
    let camel = [("query.startTimeMin", EVER[0].1), ("query.startTimeMax", EVER[1].1)];
    let camel = jaeger("/api/v3/trace-summaries", &[&camel[..], &attributes].concat()).await.good();
    assert!(!snake["summaries"].as_array().unwrap().is_empty());
    assert_eq!(snake, camel);
    let body = json!({"query": {
        "startTimeMin": EVER[0].1, "start_time_max": EVER[1].1, "attributes": {"clew.kind": "journey"}, "searchDepth": 50,
    }});
    assert_eq!(post("/jaeger/api/v3/trace-summaries", &body).await, snake);
    let traces = post("/jaeger/api/v3/traces", &body).await;
    assert!(!spans(&traces).is_empty());
}

async fn post(path: &str, body: &Value) -> Value {
    let request =
        Request::post(path).header("content-type", "application/json").body(Body::from(body.to_string())).unwrap();
    let response = router(support::app()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    serde_json::from_str(&support::body_of(response.into_body()).await).unwrap()
}

#[tokio::test]
async fn what_is_wrong_is_said_as_the_gateway_says_it() {
    let error = jaeger("/api/v3/traces", &[("query.service_name", "x")]).await;
    assert_eq!(error.status, 400);
    assert!(error.json()["error"]["message"].as_str().unwrap().contains("query.start_time_min"));
    let filtered = jaeger("/api/v3/traces", &[&EVER[..], &[("query.filter", "{}")]].concat()).await.json();
    assert!(filtered["error"]["message"].as_str().unwrap().contains("query.filter"));
    let paged = jaeger("/api/v3/traces", &[&EVER[..], &[("query.pagination.page_size", "2")]].concat()).await.json();
    assert!(paged["error"]["message"].as_str().unwrap().contains("query.pagination"));
    let none = jaeger("/api/v3/traces", &[&EVER[..], &[("query.service_name", "nobody")]].concat()).await;
    assert_eq!(none.status, 404);
}
