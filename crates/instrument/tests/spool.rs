//! The spool: what a collector would not take survives a restart, within its bounds.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

#[path = "support/collector.rs"]
mod collector;
mod support;

use clew_instrument::{SpoolSettings, Tracing, TracingConfiguration, attr};
use collector::{Collector, Mood};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{SOON, no_environment, quick, quick_retries};
use tonic::Code;

fn tracing_at(address: SocketAddr, folder: &Path, max_bytes: u64) -> Tracing {
    let configuration = TracingConfiguration {
        endpoint: Some(address.to_string()),
        sampling_rate_per_million: Some(1_000_000),
        service: None,
    };
    let spool = SpoolSettings { folder: folder.to_owned(), max_bytes };
    let builder = Tracing::builder("test").environment(no_environment()).batching(quick()).retrying(quick_retries());
    builder.configuration(configuration).spool(spool).build().unwrap()
}

fn emit(tracing: &Tracing, count: usize) {
    for index in 0..count {
        tracing.start(format!("work {index}"), [attr("index", index)]).end();
    }
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn spans_of_a_process_that_ended_in_an_outage_arrive_after_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let collector = Collector::start();
    collector.mood(Mood::Refuses(Code::Unavailable));
    {
        let tracing = tracing_at(collector.address(), folder.path(), 1 << 20);
        emit(&tracing, 30);
        assert!(tracing.shutdown(Duration::from_millis(300)));
        let ledger = tracing.snapshot().ledger;
        assert_eq!((ledger.spooled, ledger.dropped_total()), (30, 0), "{ledger:?}");
        assert!(ledger.balances());
    }
    assert!(files(folder.path()) > 0);
    collector.mood(Mood::Well);
    let tracing = tracing_at(collector.address(), folder.path(), 1 << 20);
    assert_eq!(tracing.snapshot().ledger.recovered, 30);
    assert!(tracing.flush(SOON));
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.exported, ledger.spooled), (30, 0), "{ledger:?}");
    assert!(ledger.balances());
    let mut names = collector.taken();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 30, "each once");
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn an_outage_within_a_run_ends_with_nothing_lost() {
    let folder = tempfile::tempdir().unwrap();
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), folder.path(), 1 << 20);
    collector.mood(Mood::Refuses(Code::Unavailable));
    emit(&tracing, 10);
    let end = Instant::now() + SOON;
    while tracing.snapshot().ledger.spooled < 10 {
        assert!(Instant::now() < end, "{:?}", tracing.snapshot().ledger);
        std::thread::sleep(Duration::from_millis(10));
    }
    collector.mood(Mood::Well);
    assert!(tracing.flush(SOON));
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.exported, ledger.dropped_total()), (10, 0), "{ledger:?}");
}

#[test]
fn a_full_spool_drops_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let collector = Collector::start();
    collector.mood(Mood::Refuses(Code::Unavailable));
    let tracing = tracing_at(collector.address(), folder.path(), 100);
    emit(&tracing, 10);
    tracing.shutdown(Duration::from_millis(300));
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.dropped["spool_full"], ledger.spooled), (10, 0), "{ledger:?}");
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn a_torn_file_is_counted_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("00000000000000000007-5.otlp"), b"half a ba").unwrap();
    std::fs::write(folder.path().join("notes.txt"), b"not ours").unwrap();
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), folder.path(), 1 << 20);
    assert!(tracing.flush(SOON));
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.recovered, ledger.dropped["spool_corrupt"]), (5, 5), "{ledger:?}");
    assert!(ledger.balances());
    assert_eq!(files(folder.path()), 1, "only what is not ours stays");
}
