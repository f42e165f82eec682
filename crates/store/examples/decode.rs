//! How fast requests are decoded, in spans for each second of this process's CPU time:
//! `cargo run --release -p clew-store --example decode -- captures/rollout`.

use std::time::Duration;

use bytes::Bytes;
use clew_store::otlp::{Limits, Unread, check};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use rustix::time::{ClockId, clock_gettime};

/// CPU time for each measurement.
const ENOUGH: Duration = Duration::from_secs(2);

fn main() {
    let capture = std::env::args().nth(1).unwrap_or_else(|| "captures/rollout".to_owned());
    let requests = requests(&capture);
    let limits = Limits::default();
    let bytes: usize = requests.iter().map(Bytes::len).sum();
    println!("{} requests, {bytes} bytes", requests.len());
    measure("check", &requests, |request| check(request, &limits).map_or(0, |checked| checked.counts.taken));
    let checked: Vec<Unread> = requests.iter().map(|request| Unread::new(request, &limits).expect("OTLP").0).collect();
    measure("then into columns", &checked, |spans| spans.read().map_or(0, |rows| rows.len() as u64));
    measure("prost, for comparison", &requests, |request| {
        let request = ExportTraceServiceRequest::decode(request.clone()).unwrap_or_default();
        request.resource_spans.iter().flat_map(|group| &group.scope_spans).map(|part| part.spans.len() as u64).sum()
    });
}

fn requests(capture: &str) -> Vec<Bytes> {
    let packed = std::fs::read(format!("{capture}/otlp.jsonl.zst")).expect("a capture with spans");
    let lines = zstd::decode_all(packed.as_slice()).expect("zstd");
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let request = |line: &[u8]| serde_json::from_slice::<ExportTraceServiceRequest>(line).expect("OTLP/JSON");
    lines.map(|line| Bytes::from(request(line).encode_to_vec())).collect()
}

fn measure<T>(what: &str, requests: &[T], run: impl Fn(&T) -> u64) {
    let began = cpu_time();
    let mut spans = 0_u64;
    while cpu_time().saturating_sub(began) < ENOUGH {
        spans += requests.iter().map(&run).sum::<u64>();
    }
    let rate = u128::from(spans) * 1_000_000 / cpu_time().saturating_sub(began).as_micros().max(1);
    println!("{what:24} {rate:>10} spans/s");
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
