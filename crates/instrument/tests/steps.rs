//! The wrapped API: spans, events, errors, and the step table of a slow span, recorded or not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::{Context, InContext, Status, Tracing, attr, start};
use clew_testkit::otlp::Sink;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{attribute, named, no_environment, spans, tracing_to};

/// What the process logs, while a closure runs.
fn logged(run: impl FnOnce()) -> String {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(data)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, run);
    let data = log.0.lock().unwrap().clone();
    String::from_utf8(data).unwrap()
}

fn slow_create() {
    let span = start("Create", [attr("audit-id", "4711"), attr("count", 3)]);
    span.event("About to convert to expected version", []);
    {
        let _current = span.enter();
        let nested = start("Create etcd3", [attr("key", "/minions/fake")]);
        std::thread::sleep(Duration::from_millis(30));
        nested.event("Txn call succeeded", []);
        nested.end_with_threshold(Duration::from_millis(10));
    }
    span.event("Write to database call succeeded", [attr("len", 5)]);
    span.end_with_threshold(Duration::from_millis(20));
}

#[test]
fn a_slow_span_logs_its_table_though_nothing_is_traced() {
    let text = logged(slow_create);
    assert!(text.contains("\"Create\" audit-id:4711,count:3 ("), "{text}");
    assert!(text.contains("(total time: 3"), "{text}");
    assert!(text.contains("[\"Create etcd3\" key:/minions/fake 3"), "{text}");
    assert!(text.contains(" ---\"Txn call succeeded\" 3"), "{text}");
    assert!(text.trim_end().ends_with("END"), "{text}");
    assert!(!text.contains("About to convert"), "a quick step is left out: {text}");
}

#[test]
fn a_slow_span_logs_its_table_though_it_is_traced() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let text = logged(|| {
        let request = tracing.start("request", []);
        let _current = request.enter();
        slow_create();
    });
    assert!(text.contains("\"Create\" audit-id:4711"), "{text}");
    let all = spans(&tracing, &sink, 3);
    let create = named(&all, "Create");
    assert_eq!(create.parent_span_id, named(&all, "request").span_id);
    assert_eq!(named(&all, "Create etcd3").parent_span_id, create.span_id);
    assert_eq!(create.events.len(), 2);
    assert_eq!(attribute(create, "audit-id").as_deref(), Some("4711"));
}

#[test]
fn a_quick_span_logs_nothing() {
    let text = logged(|| {
        let span = start("Get", []);
        span.event("done", []);
        span.end_with_threshold(Duration::from_secs(1));
        start("List", []).end();
    });
    assert_eq!(text, "");
}

#[test]
fn without_a_current_span_nothing_is_recorded() {
    let span = start("orphan", []);
    assert!(!span.is_recording());
    assert!(!span.context().span_context().is_valid());
}

#[test]
fn errors_and_attributes_are_on_the_span() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let span = tracing.start("Update", []);
    span.record_error(&std::io::Error::other("etcd is gone"));
    span.set("retries", 1);
    span.set("retries", 2);
    span.as_ref().set_name("Patch");
    span.end();
    let other = tracing.start("fine", []);
    other.set_status(Status::Ok);
    other.end();
    let all = spans(&tracing, &sink, 2);
    let patch = named(&all, "Patch");
    assert_eq!(patch.status.as_ref().map(|status| (status.code, status.message.as_str())), Some((2, "etcd is gone")));
    assert_eq!(patch.events[0].name, "exception");
    assert_eq!(attribute(patch, "retries").as_deref(), Some("2"));
    assert_eq!(named(&all, "fine").status.as_ref().unwrap().code, 1);
}

#[test]
fn the_span_of_a_context_can_be_added_to() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let span = tracing.start("outer", []);
    {
        let _current = span.enter();
        let context = Context::current();
        context.span().event("from below", []);
        context.span().set("who", "callee");
    }
    span.end();
    let all = spans(&tracing, &sink, 1);
    assert_eq!((all[0].events[0].name.as_str(), attribute(&all[0], "who").as_deref()), ("from below", Some("callee")));
}

#[tokio::test]
async fn a_context_stays_with_its_future() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let (one, two) = (tracing.start_root("one", []), tracing.start_root("two", []));
    let work = |name: &'static str| async move {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        start(name, []).end();
    };
    tokio::join!(work("below one").in_span(&one), work("below two").in_span(&two), work("outside"));
    assert!(!Context::current().span_context().is_valid());
    drop((one, two));
    let all = spans(&tracing, &sink, 4);
    assert_eq!(named(&all, "below one").parent_span_id, named(&all, "one").span_id);
    assert_eq!(named(&all, "below two").parent_span_id, named(&all, "two").span_id);
}

#[test]
fn limits_bound_a_span() {
    let sink = Sink::start().unwrap();
    let env = clew_instrument::Environment::from_pairs([
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "2"),
        ("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "3"),
        ("OTEL_SPAN_EVENT_COUNT_LIMIT", "1"),
    ]);
    let builder = Tracing::builder("test").environment(env).batching(support::quick());
    let tracing = builder.configuration(support::configuration(&sink, 1_000_000)).build().unwrap();
    let span = tracing.start("big", [attr("a", "äöüß"), attr("b", 1), attr("c", 2)]);
    span.set("d", 3);
    span.event("first", []);
    span.event("second", []);
    span.end();
    let all = spans(&tracing, &sink, 1);
    assert_eq!((attribute(&all[0], "a").as_deref(), all[0].attributes.len()), (Some("äöü"), 2));
    assert_eq!((all[0].dropped_attributes_count, all[0].dropped_events_count), (2, 1));
}

#[test]
fn a_tracing_that_is_off_costs_only_the_table() {
    let tracing = Tracing::builder("test").environment(no_environment()).gate(false).build().unwrap();
    let text = logged(|| tracing.start("slow", []).end_with_threshold(Duration::ZERO));
    assert!(text.contains("\"slow\""), "{text}");
    assert_eq!(tracing.snapshot().started, 0);
}
