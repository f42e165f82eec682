//! The spans of real clusters.

use bytes::Bytes;
use clew_store::columns::SpanBatchBuilder;
use clew_store::otlp::{Limits, check, decode_into};
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
    let mut builder = SpanBatchBuilder::new();
    let mut expected = Vec::new();
    for request in requests("rollout") {
        let bytes = Bytes::from(request.encode_to_vec());
        let checked = check(bytes.clone(), &Limits::default()).unwrap();
        assert_eq!(checked.counts.refused(), 0);
        assert_eq!(checked.request, bytes);
        decode_into(&mut builder, &bytes, &Limits::default()).unwrap();
        expected.extend(reference::spans(&request));
    }
    assert!(expected.len() > 1000);
    let found = builder.finish().unwrap().spans().unwrap();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}
