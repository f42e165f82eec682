//! Spans of the model through columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use clew_model::{Span, SpanId, Time, TraceId, Value};
use clew_store::columns::{SpanBatch, SpanBatchBuilder};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::arbitrary;

fn batch(spans: &[Span]) -> SpanBatch {
    let mut builder = SpanBatchBuilder::new();
    for span in spans {
        builder.push(span).expect("room");
    }
    builder.finish().expect("columns")
}

fn plain(name: &str) -> Span {
    Span::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), name, Time::from_nanos(5))
}

proptest! {
    #[test]
    fn a_span_survives_columns(spans in vec(arbitrary::span(), 0..5)) {
        prop_assert_eq!(batch(&spans).spans().expect("spans"), spans);
    }
}

#[test]
fn a_part_of_a_batch_has_its_own_spans() {
    let spans: Vec<Span> = (0..9)
        .map(|number: i64| {
            let mut span = plain(&format!("span {number}"));
            span.attributes.push("n", number);
            span.attributes.push("s", format!("text {number}"));
            span
        })
        .collect();
    let part = batch(&spans).slice(3, 4);
    assert_eq!(part.spans().unwrap(), spans[3..7]);
    assert_eq!(part.span(1).unwrap().as_ref(), Some(&spans[4]));
    assert_eq!(part.span(4).unwrap(), None);
    assert_eq!(part.slice(100, 1).len(), 0);
}

#[test]
fn a_builder_can_be_used_again() {
    let mut builder = SpanBatchBuilder::new();
    builder.push(&plain("first")).unwrap();
    assert!(builder.bytes() > 0);
    builder.finish().unwrap();
    assert!(builder.is_empty());
    builder.push(&plain("second")).unwrap();
    assert_eq!(builder.finish().unwrap().spans().unwrap(), [plain("second")]);
}

#[test]
fn spans_of_one_source_share_their_resource() {
    let resource = Arc::new([("service.name".into(), Value::from("kubelet"))].into_iter().collect());
    let mut spans = vec![plain("a"), plain("b")];
    for span in &mut spans {
        span.resource = Arc::clone(&resource);
    }
    let read = batch(&spans).spans().unwrap();
    assert!(Arc::ptr_eq(&read[0].resource, &read[1].resource));
}

#[test]
fn what_people_search_by_lies_in_columns_of_its_own() {
    let mut span = plain("patch deployments");
    for (key, text) in [
        ("clew.kind", "request"),
        ("k8s.namespace.name", "shop"),
        ("k8s.deployment.name", "web"),
        ("user.name", "alice"),
    ] {
        span.attributes.push(key, text);
    }
    span.resource = Arc::new(
        [("service.name", "clew"), ("k8s.cluster.name", "prod"), ("host.name", "n1")]
            .into_iter()
            .map(|(key, text)| (key.into(), Value::from(text)))
            .collect(),
    );
    let batch = batch(&[span]).into_record_batch();
    let text = |name: &str| batch.column_by_name(name).expect(name).as_string::<i32>().value(0).to_owned();
    let expected = [
        ("service", "clew"),
        ("cluster", "prod"),
        ("namespace", "shop"),
        ("object_kind", "deployment"),
        ("object_name", "web"),
        ("user_name", "alice"),
        ("verb", "patch"),
        ("node", "n1"),
        ("kind", "internal"),
        ("status", "unset"),
    ];
    for (name, value) in expected {
        assert_eq!(text(name), value, "{name}");
    }
}

#[test]
fn a_batch_of_other_columns_is_refused() {
    let other = batch(&[plain("x")]).into_record_batch().project(&[1, 0]).unwrap();
    let error = SpanBatch::try_new(other).unwrap_err().to_string();
    assert!(error.contains("column trace_id is span_id"), "{error}");
}
