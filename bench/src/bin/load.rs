//! Sends spans to a server over OTLP/gRPC and tells what taking them cost it.
//!
//! `load ENDPOINT PID CAPTURE REQUESTS [SPANS] [CONNECTIONS]`; one line of JSON on standard output. One trace of 5,000 spans with
//! the id `c1e3…c1e3` comes last, outside what is measured, so that it can be asked for.

use std::path::Path;

use anyhow::Context;
use clew_bench::ingest::{Load, Process, Shape, send, send_trace};
use clew_model::TraceId;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: load ENDPOINT PID CAPTURE REQUESTS [SPANS] [CONNECTIONS]";
    let [endpoint, pid, capture, requests, rest @ ..] = arguments.as_slice() else { anyhow::bail!(usage) };
    let number = |at: usize, default: usize| rest.get(at).map_or(Ok(default), |text| text.parse());
    let load = Load {
        endpoint: endpoint.clone(),
        requests: requests.parse().context(usage)?,
        spans: number(0, 512).context(usage)?,
        connections: number(1, 4).context(usage)?,
    };
    let all = usize::try_from(load.requests).context(usage)? * load.spans;
    let shape = Shape::read(Path::new(capture))?.until_now(all);
    let process = Process(pid.parse().context(usage)?);
    let before = process.usage()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let sent = runtime.block_on(send(&load, &shape))?;
    let after = process.usage()?;
    let cpu = after.cpu.saturating_sub(before.cpu).as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let spans = sent.spans as f64;
    println!(
        "{{\"spans\":{},\"seconds\":{:.2},\"cpuSeconds\":{cpu:.2},\"spansPerSecond\":{:.0},\"spansPerCpuSecond\":{:.0},\
         \"ackP50Ms\":{:.2},\"ackP99Ms\":{:.2},\"peakMiB\":{}}}",
        sent.spans,
        sent.took.as_secs_f64(),
        spans / sent.took.as_secs_f64().max(1e-9),
        spans / cpu.max(1e-9),
        sent.quantile(0.5).as_secs_f64() * 1e3,
        sent.quantile(0.99).as_secs_f64() * 1e3,
        after.peak >> 20,
    );
    runtime.block_on(send_trace(
        &load.endpoint,
        shape.one_trace(TraceId::from_bytes([0xc1, 0xe3].repeat(8).try_into().unwrap_or_default()), 5_000),
    ))
}
