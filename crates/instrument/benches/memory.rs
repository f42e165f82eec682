//! What a full queue of 2048 spans holds in memory, ours and the bare SDK's.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that cannot be set up must fail"
)]

mod sdk;

use clew_instrument::export::{Batch, Exported, from_fn};
use clew_instrument::{Batching, Environment, Tracing, TracingConfiguration, attr};
use std::time::Duration;

const SPANS: i64 = 2048;

/// Our queue, one span short of a full batch, which would wake the exporter.
fn fill_ours() -> Tracing {
    let batching = Batching { queue: 2048, batch: 2048, delay: Duration::from_hours(1), ..Batching::default() };
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(1_000_000), ..Default::default() };
    let exporter = from_fn("nowhere", |_: &Batch| Ok(Exported::default()));
    let builder = Tracing::builder("bench").environment(Environment::default()).batching(batching).exporter(exporter);
    let tracing = builder.configuration(configuration).build().unwrap();
    for _ in 0..SPANS - 1 {
        let attributes = [attr("a", "text"), attr("b", 1), attr("c", true), attr("d", String::from("dynamic"))];
        let span = tracing.start_root("Create etcd3", attributes);
        span.event("Txn call succeeded", [attr("len", 5)]);
        span.end();
    }
    tracing
}

/// The SDK's queue, likewise.
fn fill_sdk() -> sdk::Sdk {
    let bare = sdk::Sdk::idle();
    for _ in 0..SPANS - 1 {
        bare.span();
    }
    bare
}

fn main() {
    // Each queue is made within the measure: the SDK's has room for all spans from the start.
    let ours = allocation_counter::measure(|| std::mem::forget(fill_ours()));
    let theirs = allocation_counter::measure(|| std::mem::forget(fill_sdk()));
    for (name, info) in [("clew", ours), ("bare_sdk", theirs)] {
        let each = info.bytes_current / (SPANS - 1);
        println!(
            "{name:>9}: {} bytes held by {} spans, {each} each; {} allocations",
            info.bytes_current,
            SPANS - 1,
            info.count_total
        );
    }
}
