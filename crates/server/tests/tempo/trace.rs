//! One trace, in protobuf and JSON, by any id that leads to it.

use std::collections::HashSet;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clew_model::TraceId;
use opentelemetry_proto::tonic::trace::v1::{Span, TracesData};
use prost::Message;
use serde_json::Value;

use crate::{found, protobuf, support};

/// Tempo's answer of the second version, as its protobuf file defines it.
#[derive(Clone, PartialEq, Message)]
struct TraceById {
    #[prost(message, optional, tag = "1")]
    trace: Option<TracesData>,
}

fn spans(trace: TracesData) -> Vec<Span> {
    trace.resource_spans.into_iter().flat_map(|group| group.scope_spans).flat_map(|scoped| scoped.spans).collect()
}

fn hex(bytes: &[u8]) -> String {
    TraceId::from_slice(bytes).unwrap().to_string()
}

async fn journey_with_kubelet() -> Value {
    let traces = found(r#"{ resource.service.name = "kubernetes" } >> { name = "syncPod" }"#).await;
    let id = traces[0]["traceID"].as_str().unwrap().to_owned();
    support::get(&format!("/api/v1/journeys/{id}")).await.good()
}

#[tokio::test]
async fn grafana_gets_one_tree_in_protobuf() {
    let journey = journey_with_kubelet().await;
    let id = journey["journey"].as_str().unwrap();
    let (headers, body) = protobuf(&format!("/tempo/api/v2/traces/{id}?start=1&end=2")).await;
    assert_eq!(headers["content-type"], "application/protobuf");
    let second = spans(TraceById::decode(body).unwrap().trace.unwrap());
    let first = spans(TracesData::decode(protobuf(&format!("/api/traces/{id}")).await.1).unwrap());
    assert_eq!(first, second);
    assert_eq!(first.len(), journey["spans"].as_array().unwrap().len());
    let ids: HashSet<&[u8]> = first.iter().map(|span| span.span_id.as_slice()).collect();
    assert_eq!(first.iter().filter(|span| span.parent_span_id.is_empty()).count(), 1);
    for span in &first {
        assert!(span.parent_span_id.is_empty() || ids.contains(span.parent_span_id.as_slice()), "{span:?}");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano, "{span:?}");
    }
}

#[tokio::test]
async fn any_native_id_leads_to_the_journey_and_raw_gives_it_bare() {
    let journey = journey_with_kubelet().await;
    let native = journey["segments"][0].as_str().unwrap();
    let (_, by_native) = protobuf(&format!("/tempo/api/v2/traces/{native}")).await;
    let (_, by_journey) = protobuf(&format!("/tempo/api/v2/traces/{}", journey["journey"].as_str().unwrap())).await;
    assert_eq!(by_native, by_journey);
    let (_, raw) = protobuf(&format!("/tempo/api/v2/traces/{native}?raw=1")).await;
    let raw = spans(TraceById::decode(raw).unwrap().trace.unwrap());
    assert!(!raw.is_empty());
    assert!(raw.iter().all(|span| hex(&span.trace_id) == native));
}

#[tokio::test]
async fn json_is_that_of_tempo() {
    let journey = journey_with_kubelet().await;
    let id = journey["journey"].as_str().unwrap();
    let second = support::get(&format!("/tempo/api/v2/traces/{id}")).await.good();
    let first = support::get(&format!("/tempo/api/traces/{id}")).await.good();
    assert_eq!(first["batches"], second["trace"]["resourceSpans"]);
    let span = &first["batches"][0]["scopeSpans"][0]["spans"][0];
    let bytes = BASE64_STANDARD.decode(span["traceId"].as_str().unwrap()).unwrap();
    assert_eq!(hex(&bytes), id);
    assert_eq!(BASE64_STANDARD.decode(span["spanId"].as_str().unwrap()).unwrap().len(), 8);
    assert!(span["kind"].as_str().unwrap().starts_with("SPAN_KIND_"));
    assert!(span["status"]["code"].as_str().unwrap().starts_with("STATUS_CODE_"));
}

#[tokio::test]
async fn what_is_not_there_is_a_404_in_plain_words() {
    let answer = support::get("/tempo/api/v2/traces/1").await;
    assert_eq!(answer.status, 404);
    assert!(answer.text.starts_with("no trace 00000000000000000000000000000001: "), "{}", answer.text);
    assert_eq!(support::get("/tempo/api/traces/xyz").await.status, 400);
}
