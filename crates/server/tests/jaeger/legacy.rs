//! The API of Jaeger's page.

use std::collections::HashSet;

use serde_json::Value;

use crate::{jaeger, journey, support, texts};

/// All the time there is, in microseconds.
const EVER: [(&str, &str); 2] = [("start", "1"), ("end", "9000000000000000")];

async fn found(parameters: &[(&str, &str)]) -> Vec<Value> {
    let answer = jaeger("/api/traces", &[parameters, &EVER].concat()).await.good();
    assert_eq!(answer["errors"], Value::Null);
    answer["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn services_and_operations_are_offered() {
    let services = jaeger("/api/services", &[]).await.good();
    assert!(texts(&services["data"]).contains(&"kubernetes") && texts(&services["data"]).contains(&"kubelet"));
    assert_eq!(services["total"], services["data"].as_array().unwrap().len());
    for key in ["total", "limit", "offset"] {
        assert!(services[key].is_u64());
    }
    let names = jaeger("/api/services/kubelet/operations", &[]).await.good();
    assert!(texts(&names["data"]).contains(&"syncPod"));
    let operations = jaeger("/api/operations", &[("service", "kubelet")]).await.good();
    let sync = operations["data"].as_array().unwrap().iter().find(|operation| operation["name"] == "syncPod").unwrap();
    assert_eq!(sync["spanKind"], "internal");
}

#[tokio::test]
async fn a_trace_has_the_shape_that_the_page_reads() {
    let journey = journey().await;
    let id = journey["journey"].as_str().unwrap();
    let answer = jaeger(&format!("/api/traces/{id}"), &[]).await.good();
    let trace = &answer["data"][0];
    assert_eq!(trace["traceID"], id);
    let spans = trace["spans"].as_array().unwrap();
    assert_eq!(spans.len(), journey["spans"].as_array().unwrap().len());
    let ids: HashSet<&str> = spans.iter().map(|span| span["spanID"].as_str().unwrap()).collect();
    for span in spans {
        assert!(span["startTime"].as_i64().unwrap() > 0 && span["duration"].as_i64().unwrap() >= 0, "{span}");
        assert!(trace["processes"][span["processID"].as_str().unwrap()]["serviceName"].is_string());
        for reference in span["references"].as_array().unwrap().iter().filter(|one| one["refType"] == "CHILD_OF") {
            assert_eq!(reference["traceID"], id);
            assert!(ids.contains(reference["spanID"].as_str().unwrap()));
        }
        for tag in span["tags"].as_array().unwrap() {
            let fits = match tag["type"].as_str().unwrap() {
                "string" => tag["value"].is_string(),
                "bool" => tag["value"].is_boolean(),
                "int64" => tag["value"].is_i64(),
                "float64" => tag["value"].is_f64(),
                _ => false,
            };
            assert!(fits, "{tag}");
        }
    }
    let services: HashSet<&str> =
        trace["processes"].as_object().unwrap().values().map(|one| one["serviceName"].as_str().unwrap()).collect();
    assert!(services.len() > 1 && services.contains("kubernetes"), "{services:?}");
}

#[tokio::test]
async fn any_native_id_leads_to_the_journey_and_raw_gives_it_bare() {
    let journey = journey().await;
    let (id, native) = (journey["journey"].as_str().unwrap(), journey["segments"][0].as_str().unwrap());
    let by_native = jaeger(&format!("/api/traces/{native}"), &[]).await.good();
    assert_eq!(by_native["data"][0]["traceID"], id);
    let raw = jaeger(&format!("/api/traces/{native}"), &[("raw", "true")]).await.good();
    assert_eq!(raw["data"][0]["traceID"], native);
    let both = jaeger("/api/traces", &[("traceID", native), ("traceID", "1")]).await.good();
    assert_eq!(both["data"][0]["traceID"], id);
    assert_eq!(both["errors"][0]["traceID"], "00000000000000000000000000000001");
}

#[tokio::test]
async fn at_the_root_the_shared_path_is_jaegers_unless_protobuf_is_asked_for() {
    let journey = journey().await;
    let id = journey["journey"].as_str().unwrap();
    let answer = support::get(&format!("/api/traces/{id}")).await.good();
    assert_eq!(answer["data"][0]["traceID"], id);
    let tempo = support::get(&format!("/tempo/api/traces/{id}")).await.good();
    assert!(tempo["batches"].is_array());
}

#[tokio::test]
async fn searches_go_by_service_operation_tags_and_duration() {
    let by_operation =
        found(&[("service", "kubelet"), ("operation", "syncPod"), ("limit", "20"), ("lookback", "1h")]).await;
    assert!(!by_operation.is_empty());
    let has =
        |trace: &Value, name: &str| trace["spans"].as_array().unwrap().iter().any(|span| span["operationName"] == name);
    assert!(by_operation.iter().all(|trace| has(trace, "syncPod")));
    let by_tag = found(&[("service", "kubernetes"), ("tags", r#"{"clew.kind":"journey"}"#)]).await;
    let journeys = support::get("/api/v1/journeys").await.good();
    assert_eq!(by_tag.len(), journeys["journeys"].as_array().unwrap().len());
    let starts: Vec<i64> = by_tag
        .iter()
        .map(|trace| {
            trace["spans"].as_array().unwrap().iter().map(|span| span["startTime"].as_i64().unwrap()).min().unwrap()
        })
        .collect();
    assert!(starts.is_sorted_by(|one, other| one >= other), "newest first");
    assert!(found(&[("service", "kubelet"), ("tag", "no.such:thing")]).await.is_empty());
    assert!(found(&[("service", "kubelet"), ("minDuration", "10h")]).await.is_empty());
    assert_eq!(found(&[("service", "kubelet"), ("limit", "2")]).await.len(), 2);
    let now = jaeger("/api/traces", &[("service", "kubernetes"), ("lookback", "1h")]).await.good();
    assert_eq!(now["data"].as_array().unwrap().len(), 0, "the capture is older than an hour");
}

#[tokio::test]
async fn what_is_wrong_is_said_in_the_envelope() {
    let refused = async |path: &str, parameters: &[(&str, &str)], status: u16| {
        let answer = jaeger(path, parameters).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        let error = answer.json()["errors"][0].clone();
        assert_eq!(error["code"], status);
        error["msg"].as_str().unwrap().to_owned()
    };
    assert!(refused("/api/traces", &[], 400).await.contains("service"));
    assert!(
        refused("/api/traces", &[("service", "x"), ("minDuration", "2s"), ("maxDuration", "1s")], 400)
            .await
            .contains("maxDuration")
    );
    assert!(refused("/api/traces", &[("service", "x"), ("tags", "[]")], 400).await.contains("tags"));
    assert!(refused("/api/traces", &[("service", "x"), ("start", "soon")], 400).await.contains("start"));
    assert!(refused("/api/traces/xyz", &[], 400).await.contains("hexadecimal"));
    assert!(refused("/api/traces/1", &[], 404).await.starts_with("no trace"));
    assert!(refused("/api/operations", &[], 400).await.contains("service"));
}

#[tokio::test]
async fn dependencies_cross_what_native_tracing_does_not() {
    let answer = jaeger("/api/dependencies", &[("endTs", "9000000000000"), ("lookback", "9000000000000")]).await.good();
    let calls = answer["data"].as_array().unwrap();
    let from_journeys = calls.iter().find(|call| call["parent"] == "kubernetes" && call["child"] == "kubelet");
    assert!(from_journeys.unwrap()["callCount"].as_u64().unwrap() > 0);
    let one = [("endTs", "9000000000000"), ("lookback", "9000000000000"), ("service", "nobody")];
    assert_eq!(jaeger("/api/dependencies", &one).await.good()["data"].as_array().unwrap().len(), 0);
}
