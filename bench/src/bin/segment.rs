//! Writes a trace of 5,000 spans, with the id `c1e4…c1e4`, that belongs to one write of a capture: as OTLP/JSON on standard output.
//!
//! `segment CAPTURE AUDIT_ID`; what `clew import` weaves of it and the capture's audit log is a large journey.

use std::path::Path;

use clew_bench::ingest::Shape;
use clew_model::TraceId;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [capture, audit] = arguments.as_slice() else { anyhow::bail!("usage: segment CAPTURE AUDIT_ID") };
    let id = TraceId::from_bytes([0xc1, 0xe4].repeat(8).try_into().unwrap_or_default());
    println!("{}", Shape::read(Path::new(capture))?.segment(id, 5_000, audit));
    Ok(())
}
