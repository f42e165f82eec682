//! The spans of real clusters.

use bytes::Bytes;
use clew_store::otlp::{Columns, Limits, Unread, check};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;

use crate::reference;

fn requests(capture: &str) -> Vec<ExportTraceServiceRequest> {
    let path = format!("{}/../../captures/{capture}/otlp.jsonl.zst", env!("CARGO_MANIFEST_DIR"));
    let packed = std::fs::read(path).expect("the capture");
    let lines = zstd::decode_all(packed.as_slice()).expect("zstd");
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("OTLP/JSON")).collect()
}

#[test]
fn the_spans_of_a_real_cluster_are_all_there() {
    let mut found = Vec::new();
    let mut expected = Vec::new();
    for request in requests("rollout") {
        let bytes = Bytes::from(request.encode_to_vec());
        let checked = check(&bytes, &Limits::default()).unwrap();
        assert_eq!(checked.counts.refused(), 0);
        assert_eq!(checked.request, bytes);
        found.extend(checked.spans.read().unwrap().spans().unwrap());
        expected.extend(reference::spans(&request));
    }
    assert!(expected.len() > 1000);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

#[test]
fn spans_of_many_requests_are_read_in_any_order() {
    let requests = requests("rollout");
    let unread: Vec<Unread> = requests
        .iter()
        .map(|request| Unread::new(&request.encode_to_vec().into(), &Limits::default()).unwrap().0)
        .collect();
    let all = unread.iter().zip(&requests);
    let mut all: Vec<_> = all
        .flat_map(|(unread, request)| {
            let spans = unread.spans().iter().zip(reference::spans(request));
            spans.map(move |(spot, span)| (unread, spot, span))
        })
        .collect();
    all.sort_by_key(|(_, spot, span)| (spot.trace_id, spot.start, span.span_id));
    let mut columns = Columns::for_rows(1);
    for (request, spot, span) in &all {
        assert_eq!((spot.trace_id, spot.start), (span.trace_id, span.start.as_nanos()));
        columns.read(request, spot).unwrap();
    }
    let found = columns.finish().unwrap().spans().unwrap();
    assert_eq!(found.len(), all.len());
    for (found, (_, _, expected)) in found.iter().zip(&all) {
        assert_eq!(found, expected);
    }
}
