//! The spans of real clusters.

use bytes::Bytes;
use clew_store::columns::SpanBatchBuilder;
use clew_store::otlp::{Limits, check, decode, decode_into};
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

/// `cargo test --release -p clew-store --test spans -- --ignored --nocapture speed`
#[test]
#[ignore = "a measurement"]
fn speed() {
    let requests: Vec<Bytes> = requests("rollout").iter().map(|request| request.encode_to_vec().into()).collect();
    let measure = |what: &str, run: &mut dyn FnMut(&Bytes) -> u64| {
        let started = std::time::Instant::now();
        let mut spans = 0_u64;
        while started.elapsed().as_secs() < 2 {
            spans += requests.iter().map(&mut *run).sum::<u64>();
        }
        let rate = u128::from(spans) * 1000 / started.elapsed().as_millis();
        println!("{what}: {rate} spans/s");
    };
    measure("check", &mut |request| check(request.clone(), &Limits::default()).unwrap().counts.taken);
    measure("decode", &mut |request| decode(request, &Limits::default()).unwrap().1.taken);
    measure("native", &mut |request| {
        let mut spans = 0;
        clew_store::otlp::native(request, |_, _| spans += 1).unwrap();
        spans
    });
    measure("prost", &mut |request| {
        let request = ExportTraceServiceRequest::decode(request.clone()).unwrap();
        request.resource_spans.iter().flat_map(|group| &group.scope_spans).map(|part| part.spans.len() as u64).sum()
    });
}
