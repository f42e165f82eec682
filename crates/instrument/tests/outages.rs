//! A collector refuses, hangs, slows down and vanishes: nobody waits for it, and the books always add up.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

#[path = "support/collector.rs"]
mod collector;
mod support;

use clew_instrument::export::{Batch, ExportError, Exported, from_fn};
use clew_instrument::{Batching, Environment, Ledger, Slo, Tracing, TracingConfiguration};
use collector::{Collector, Mood};
use opentelemetry_proto::tonic::metrics::v1::metric;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{SOON, no_environment, quick, quick_retries};
use tonic::Code;

fn tracing_at(address: SocketAddr, batching: Batching) -> Tracing {
    let configuration = TracingConfiguration {
        endpoint: Some(address.to_string()),
        sampling_rate_per_million: Some(1_000_000),
        service: None,
    };
    let builder = Tracing::builder("test").environment(no_environment()).batching(batching).retrying(quick_retries());
    builder.configuration(configuration).build().unwrap()
}

fn emit(tracing: &Tracing, count: usize) {
    for _ in 0..count {
        tracing.start("work", []).end();
    }
}

/// Waits until the books say so, and checks at every look that they add up.
fn until(tracing: &Tracing, what: &str, holds: impl Fn(&Ledger) -> bool) -> Ledger {
    let end = Instant::now() + SOON;
    loop {
        let snapshot = tracing.snapshot();
        let ledger = snapshot.ledger;
        assert!(ledger.balances(), "{ledger:?}");
        assert_eq!(snapshot.started, snapshot.live + ledger.exported + ledger.dropped_total() + ledger.queued());
        if holds(&ledger) {
            return ledger;
        }
        assert!(Instant::now() < end, "{what}: {ledger:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_refusal_that_may_pass_is_tried_again_and_nothing_is_lost() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), quick());
    collector.mood(Mood::Refuses(Code::Unavailable));
    emit(&tracing, 10);
    until(&tracing, "retries", |ledger| ledger.retries >= 2);
    collector.mood(Mood::Well);
    let ledger = until(&tracing, "delivery", |ledger| ledger.exported == 10);
    assert_eq!((collector.taken().len(), ledger.dropped_total()), (10, 0));
}

#[test]
fn a_refusal_that_lasts_loses_the_batch_and_says_why() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), quick());
    collector.mood(Mood::Refuses(Code::Unavailable));
    emit(&tracing, 10);
    let ledger = until(&tracing, "giving up", |ledger| ledger.dropped_total() == 10);
    assert_eq!(ledger.dropped["UNAVAILABLE"], 10);
}

#[test]
fn a_refusal_for_good_is_not_tried_again() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), quick());
    collector.mood(Mood::Refuses(Code::InvalidArgument));
    emit(&tracing, 5);
    let ledger = until(&tracing, "giving up", |ledger| ledger.dropped_total() == 5);
    assert_eq!((ledger.dropped["INVALID_ARGUMENT"], ledger.retries), (5, 0));
}

#[test]
fn a_collector_that_hangs_holds_nobody_up() {
    let collector = Collector::start();
    let batching = Batching { timeout: Duration::from_millis(150), queue: 64, batch: 16, ..quick() };
    let tracing = tracing_at(collector.address(), batching);
    collector.mood(Mood::Hangs);
    let began = Instant::now();
    emit(&tracing, 10_000);
    let took = began.elapsed();
    assert!(took < Duration::from_secs(2), "10,000 spans took {took:?}");
    let ledger = until(&tracing, "a full queue", |ledger| ledger.dropped.contains_key("queue_full"));
    assert!(ledger.queued() <= 64 + 16, "{ledger:?}");
    collector.mood(Mood::Well);
    let ledger = until(&tracing, "delivery", |ledger| ledger.queued() == 0);
    assert_eq!(ledger.ended, 10_000);
    assert_eq!(collector.taken().len() as u64, ledger.exported);
}

#[test]
fn a_slow_collector_gets_all_that_fits() {
    let collector = Collector::start();
    let batching = Batching { queue: 1000, batch: 50, ..quick() };
    let tracing = tracing_at(collector.address(), batching);
    collector.mood(Mood::Slow(Duration::from_millis(30)));
    emit(&tracing, 300);
    let ledger = until(&tracing, "delivery", |ledger| ledger.exported == 300);
    assert_eq!((ledger.dropped_total(), collector.taken().len()), (0, 300));
}

#[test]
fn a_collector_that_vanishes_and_comes_back_gets_what_waited() {
    let collector = Collector::start();
    let mut batching = quick();
    batching.queue = 100;
    let tracing = tracing_at(collector.address(), batching);
    emit(&tracing, 1);
    until(&tracing, "the first", |ledger| ledger.exported == 1);
    let address = collector.vanish();
    emit(&tracing, 20);
    until(&tracing, "an attempt", |ledger| ledger.retries > 0);
    let collector = Collector::at(address);
    let ledger = until(&tracing, "delivery", |ledger| ledger.queued() == 0);
    assert_eq!((ledger.exported, ledger.dropped_total()), (21, 0));
    assert_eq!(collector.taken().len(), 20);
}

#[test]
fn spans_that_a_collector_rejects_are_counted_as_lost() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), Batching { delay: Duration::from_mins(1), ..quick() });
    collector.mood(Mood::Picky(3));
    emit(&tracing, 10);
    assert!(tracing.flush(SOON));
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.exported, ledger.dropped["rejected"]), (7, 3));
    assert!(ledger.balances());
}

#[test]
fn an_exporter_that_panics_loses_only_its_batch() {
    let broken = Arc::new(AtomicBool::new(true));
    let count = Arc::new(AtomicUsize::new(0));
    let (breaks, counts) = (Arc::clone(&broken), Arc::clone(&count));
    let exporter = from_fn("fragile", move |batch: &Batch| {
        assert!(!breaks.load(Ordering::SeqCst), "an exporter's own fault");
        counts.fetch_add(batch.spans.len(), Ordering::SeqCst);
        Ok(Exported::default())
    });
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(1_000_000), ..Default::default() };
    let builder = Tracing::builder("test").environment(no_environment()).batching(quick()).exporter(exporter);
    let tracing = builder.configuration(configuration).build().unwrap();
    emit(&tracing, 3);
    let ledger = until(&tracing, "the loss", |ledger| ledger.dropped_total() == 3);
    assert_eq!(ledger.dropped["panic"], 3);
    broken.store(false, Ordering::SeqCst);
    emit(&tracing, 2);
    until(&tracing, "delivery", |ledger| ledger.exported == 2);
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[test]
fn spans_after_the_end_are_counted() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), quick());
    let open = tracing.start("open", []);
    assert!(tracing.shutdown(SOON));
    open.end();
    let ledger = tracing.snapshot().ledger;
    assert_eq!(ledger.dropped["already_shutdown"], 1);
    assert!(ledger.balances());
}

#[test]
fn the_books_add_up_while_everything_happens_at_once() {
    let moody = Arc::new(AtomicUsize::new(0));
    let taken = Arc::new(Mutex::new(0_u64));
    let (mood, counted) = (Arc::clone(&moody), Arc::clone(&taken));
    let exporter = from_fn("moody", move |batch: &Batch| {
        match mood.fetch_add(1, Ordering::SeqCst) % 4 {
            0 => return Err(ExportError::retryable("busy", "later")),
            1 => return Err(ExportError::fatal("no", "never")),
            _ => {}
        }
        *counted.lock().unwrap() += batch.spans.len() as u64;
        Ok(Exported::default())
    });
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(1_000_000), ..Default::default() };
    let batching = Batching { queue: 100, batch: 10, delay: Duration::from_millis(1), ..quick() };
    let builder = Tracing::builder("test").environment(no_environment()).batching(batching).retrying(quick_retries());
    let tracing = builder.exporter(exporter).configuration(configuration).build().unwrap();
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let tracing = tracing.clone();
            std::thread::spawn(move || emit(&tracing, 20_000))
        })
        .collect();
    while !writers.iter().all(std::thread::JoinHandle::is_finished) {
        assert!(tracing.snapshot().ledger.balances());
    }
    let ledger = until(&tracing, "the end", |ledger| ledger.queued() == 0 && ledger.ended == 40_000);
    assert_eq!(ledger.exported, *taken.lock().unwrap());
}

#[test]
fn a_flush_ends_though_spans_keep_ending() {
    let names: Arc<Mutex<Vec<String>>> = Arc::default();
    let keeps = Arc::clone(&names);
    let exporter = from_fn("steady", move |batch: &Batch| {
        keeps.lock().unwrap().extend(batch.spans.iter().map(|span| span.name.to_string()).filter(|name| name == "old"));
        std::thread::sleep(Duration::from_millis(1));
        Ok(Exported::default())
    });
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(1_000_000), ..Default::default() };
    let batching = Batching { queue: 10_000, batch: 100, delay: Duration::from_mins(1), ..quick() };
    let builder = Tracing::builder("test").environment(no_environment()).batching(batching).exporter(exporter);
    let tracing = builder.configuration(configuration).build().unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let (tracing, stop) = (tracing.clone(), Arc::clone(&stop));
            std::thread::spawn(move || {
                tracing.start("old", []).end();
                while !stop.load(Ordering::Relaxed) {
                    tracing.start("new", []).end();
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(50));
    let flushed = tracing.flush(SOON);
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.join().unwrap();
    }
    assert!(flushed, "in time, though the writers never paused");
    assert_eq!(*names.lock().unwrap(), ["old", "old"]);
}

#[test]
fn the_metrics_have_their_conventional_names_in_both_forms() {
    let collector = Collector::start();
    let env = Environment::from_pairs([("OTEL_METRICS_EXPORTER", "otlp"), ("OTEL_METRIC_EXPORT_INTERVAL", "100")]);
    let configuration = TracingConfiguration {
        endpoint: Some(collector.address().to_string()),
        sampling_rate_per_million: Some(1_000_000),
        service: None,
    };
    let builder = Tracing::builder("test").environment(env).batching(quick()).configuration(configuration);
    let tracing = builder.build().unwrap();
    emit(&tracing, 4);
    let live = tracing.start("live", []);
    until(&tracing, "delivery", |ledger| ledger.exported == 4);
    let text = tracing.prometheus();
    let port = collector.address().port();
    let exporter = format!(
        "otel_component_name=\"otlp_grpc_span_exporter/0\",otel_component_type=\"otlp_grpc_span_exporter\",server_address=\"127.0.0.1\",server_port=\"{port}\""
    );
    let processor =
        "otel_component_name=\"batching_span_processor/0\",otel_component_type=\"batching_span_processor\"".to_owned();
    for line in [
        "otel_sdk_span_started_total{otel_span_parent_origin=\"none\",otel_span_sampling_result=\"RECORD_AND_SAMPLE\"} 5".to_owned(),
        "otel_sdk_span_live{otel_span_sampling_result=\"RECORD_AND_SAMPLE\"} 1".to_owned(),
        format!("otel_sdk_processor_span_queue_size{{{processor}}} 0"),
        format!("otel_sdk_processor_span_queue_capacity{{{processor}}} 2048"),
        format!("otel_sdk_processor_span_processed_total{{{processor}}} 4"),
        format!("otel_sdk_exporter_span_inflight{{{exporter}}} 0"),
        format!("otel_sdk_exporter_span_exported_total{{{exporter}}} 4"),
        format!("otel_sdk_exporter_operation_duration_seconds_bucket{{{exporter},le=\"+Inf\"}} "),
    ] {
        assert!(text.contains(&line), "no {line} in\n{text}");
    }
    drop(live);
    let end = Instant::now() + SOON;
    while collector.metrics().len() < 2 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    let last = collector.metrics().pop().expect("own metrics arrive");
    let metrics = &last.resource_metrics[0].scope_metrics[0].metrics;
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert!(
        names.contains(&"otel.sdk.exporter.operation.duration") && names.contains(&"otel.sdk.span.started"),
        "{names:?}"
    );
    let counter = metrics.iter().find(|metric| metric.name == "otel.sdk.exporter.span.exported").unwrap();
    assert!(matches!(&counter.data, Some(metric::Data::Sum(sum)) if sum.is_monotonic));
}

#[test]
fn the_share_of_delivered_spans_is_measured() {
    let collector = Collector::start();
    let tracing = tracing_at(collector.address(), quick());
    let mut slo = Slo::new(Duration::from_mins(1));
    slo.observe(Instant::now(), &tracing.snapshot());
    emit(&tracing, 3);
    until(&tracing, "delivery", |ledger| ledger.exported == 3);
    collector.mood(Mood::Refuses(Code::InvalidArgument));
    emit(&tracing, 1);
    until(&tracing, "loss", |ledger| ledger.dropped_total() == 1);
    slo.observe(Instant::now(), &tracing.snapshot());
    assert_eq!(slo.delivered(), Some(0.75));
}
