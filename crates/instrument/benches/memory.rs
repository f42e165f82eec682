//! What a full queue of 2048 spans holds in memory, ours and the bare SDK's.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that cannot be set up must fail"
)]

mod sdk;

use clew_instrument::export::{Batch, Exported, from_fn};
use clew_instrument::{Batching, Environment, Tracing, TracingConfiguration, attr, start};
use std::time::Duration;

const SPANS: i64 = 2048;

fn main() {
    let delay = Duration::from_secs(3600);
    let batching = Batching { queue: 2048, batch: 2048, delay, ..Batching::default() };
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(1_000_000), ..Default::default() };
    let exporter = from_fn("nowhere", |_: &Batch| Ok(Exported::default()));
    let builder = Tracing::builder("bench").environment(Environment::default()).batching(batching).exporter(exporter);
    let tracing = builder.configuration(configuration).build().unwrap();
    let root = tracing.start_root("request", []);
    let current = root.enter();
    // One short of a full batch, which would wake the exporter.
    let ours = allocation_counter::measure(|| {
        for _ in 0..SPANS - 1 {
            let attributes = [attr("a", "text"), attr("b", 1), attr("c", true), attr("d", String::from("dynamic"))];
            let span = start("Create etcd3", attributes);
            span.event("Txn call succeeded", [attr("len", 5)]);
            span.end();
        }
    });
    drop(current);
    let bare = sdk::Sdk::idle();
    let guard = bare.enter_root();
    let theirs = allocation_counter::measure(|| {
        for _ in 0..SPANS - 1 {
            bare.span();
        }
    });
    drop(guard);
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
