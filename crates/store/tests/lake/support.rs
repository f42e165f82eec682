//! Spans, journeys and lakes for tests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use clew_model::{Evidence, Span, SpanId, Status, Time, TraceId};
use clew_store::lake::{Lake, Options};
use clew_store::{Record, Store as _, Woven};
use clew_weave::{Child, Edge, Journey, JourneyObject, Root, RootKind, State, Upserts};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span as Wire};
use prost::Message;

/// A moment that all tests begin at.
pub(crate) const BEGIN: i64 = 1_800_000_000_000_000_000;
pub(crate) const SECOND: i64 = 1_000_000_000;

pub(crate) fn trace(number: u128) -> TraceId {
    TraceId::from_bytes(number.to_be_bytes())
}

pub(crate) fn span_id(number: u64) -> SpanId {
    SpanId::from_bytes(number.to_be_bytes())
}

pub(crate) fn text(key: &str, value: &str) -> KeyValue {
    let value = Some(AnyValue { value: Some(any_value::Value::StringValue(value.to_owned())) });
    KeyValue { key: key.to_owned(), value, ..KeyValue::default() }
}

pub(crate) fn int(key: &str, value: i64) -> KeyValue {
    let value = Some(AnyValue { value: Some(any_value::Value::IntValue(value)) });
    KeyValue { key: key.to_owned(), value, ..KeyValue::default() }
}

pub(crate) fn double(key: &str, value: f64) -> KeyValue {
    let value = Some(AnyValue { value: Some(any_value::Value::DoubleValue(value)) });
    KeyValue { key: key.to_owned(), value, ..KeyValue::default() }
}

/// A native span: its trace, its id, and how many seconds after the beginning it began.
#[derive(Clone, Copy)]
pub(crate) struct Native(pub(crate) u128, pub(crate) u64, pub(crate) i64);

/// An OTLP request of the API server.
pub(crate) fn request(spans: &[Native]) -> Bytes {
    let spans = spans.iter().map(|Native(trace, span, second)| {
        let start = u64::try_from(BEGIN + second * SECOND).unwrap();
        Wire {
            trace_id: trace.to_be_bytes().to_vec(),
            span_id: span.to_be_bytes().to_vec(),
            name: format!("Update pod {}", span % 7),
            kind: 2,
            start_time_unix_nano: start,
            end_time_unix_nano: start + 1_000_000 * (span % 100 + 1),
            attributes: vec![text("k8s.namespace.name", "shop"), int("http.response.status_code", 200)],
            ..Wire::default()
        }
    });
    let resource = Resource { attributes: vec![text("service.name", "apiserver")], ..Resource::default() };
    let scope_spans = vec![ScopeSpans { spans: spans.collect(), ..ScopeSpans::default() }];
    let resource_spans = vec![ResourceSpans { resource: Some(resource), scope_spans, ..ResourceSpans::default() }];
    ExportTraceServiceRequest { resource_spans }.encode_to_vec().into()
}

pub(crate) fn records(spans: &[Native]) -> Vec<Record> {
    vec![Record::Spans(request(spans))]
}

/// Options of a lake that does nothing on its own within a test.
pub(crate) fn options(folder: &Path) -> Options {
    let mut options = Options::at(folder);
    options.settle = Duration::ZERO;
    options.tick = Duration::from_mins(10);
    options
}

pub(crate) async fn open(folder: &Path) -> Lake {
    Lake::open(options(folder)).await.unwrap()
}

/// The Parquet files in a folder.
pub(crate) fn parquet(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(parquet(&path));
        } else if path.extension().is_some_and(|extension| extension == "parquet") {
            found.push(path);
        }
    }
    found
}

/// How many rows a query gives.
pub(crate) async fn count(lake: &Lake, sql: &str) -> usize {
    let batches = lake.sql(sql, Default::default()).await.unwrap();
    batches.iter().map(arrow_array::RecordBatch::num_rows).sum()
}

/// A journey of a deployment, with two spans of clew's own and one segment.
pub(crate) fn woven(number: u128, state: State, second: i64) -> Woven {
    let (id, start) = (trace(number), Time::from_nanos(BEGIN + second * SECOND));
    let end = start.saturating_add(5 * SECOND);
    let (root, write) = (span_id(1), span_id(2));
    let segment = trace(number + 1000);
    let mut spans = vec![Span::new(id, root, "create deployments", start), Span::new(id, write, "create pods", start)];
    spans[1].parent = Some(root);
    spans[1].end = Some(end);
    if state == State::Failed {
        spans[1].status = Status::error("quota");
    }
    let object = JourneyObject {
        uid: clew_weave::fact::Uid::new(&format!("uid-{number}")),
        kind: "Deployment".into(),
        namespace: "shop".into(),
        name: format!("web-{number}").into(),
    };
    let journey = Journey {
        journey: id,
        root: Root {
            audit: None,
            verb: "create".into(),
            resource: "deployments".into(),
            subresource: "".into(),
            namespace: "shop".into(),
            name: object.name.clone(),
            user: "jane".into(),
            agent: "kubectl".into(),
            kind: RootKind::Request,
            revision: None,
        },
        command: None,
        state,
        waiting_on: None,
        start,
        end,
        writes: Vec::new(),
        objects: vec![object],
        spans: spans.len(),
        segments: vec![segment],
        critical_path: Vec::new(),
        findings: Vec::new(),
        diff: Vec::new(),
    };
    let edge = |child| Edge { journey: id, parent: root, child, evidence: Evidence::Ownership };
    let edges = vec![edge(Child::Span(write)), edge(Child::Segment(segment))];
    Woven { cluster: "test".into(), upserts: Upserts { journeys: vec![journey], spans, edges, retired: Vec::new() } }
}
