//! Spans are out before the process is gone: on one worker, on SIGTERM, on a panic, on exit, from a dropped handle.
//!
//! Each case runs this test binary again as a process of its own, which ends in its own way.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::{Batching, Tracing, TracingConfiguration, exit, flush_on_panic, flush_on_signals};
use clew_testkit::otlp::Sink;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use support::{SOON, no_environment};

const CASE: &str = "CLEW_TEST_CASE";
const SINK: &str = "CLEW_TEST_SINK";
const SPANS: usize = 1000;

/// The process under test: it emits spans that no timer would export in time, and ends.
fn child(case: &str) {
    let configuration = TracingConfiguration {
        endpoint: std::env::var(SINK).ok(),
        sampling_rate_per_million: Some(1_000_000),
        service: None,
    };
    let batching =
        Batching { delay: Duration::from_hours(1), batch: SPANS * 2, queue: SPANS * 2, ..Batching::default() };
    let builder = Tracing::builder("child").environment(no_environment()).batching(batching);
    let tracing = builder.configuration(configuration).build().unwrap();
    let emit = |tracing: &Tracing| {
        for _ in 0..SPANS {
            tracing.start("last words", []).end();
        }
    };
    match case {
        "current_thread" => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                emit(&tracing);
                assert!(tracing.shutdown(SOON));
            });
        }
        "one_worker_task" => {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async {
                let inside = tracing.clone();
                tokio::spawn(async move {
                    emit(&inside);
                    assert!(inside.shutdown(SOON));
                })
                .await
                .unwrap();
            });
        }
        "dropped_handle" => emit(&tracing),
        "exit" => {
            emit(&tracing);
            exit(3);
        }
        "panic" => {
            flush_on_panic();
            emit(&tracing);
            // A handle that is never dropped: only the hook can save its spans.
            std::mem::forget(tracing);
            panic!("the end");
        }
        "signal" => {
            flush_on_signals().unwrap();
            emit(&tracing);
            println!("ready");
            std::thread::sleep(Duration::from_mins(1));
        }
        other => panic!("no case {other}"),
    }
}

fn spawn(case: &str, sink: &Sink) -> Child {
    let test = format!("{case}_process");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_process_under_test", "--nocapture"]);
    command.env(CASE, case).env(SINK, sink.address().to_string()).env("RUST_BACKTRACE", "0");
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap_or_else(|error| panic!("{test}: {error}"))
}

fn end_of(mut child: Child) -> ExitStatus {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < end, "the process does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Does nothing in a normal run; a case when one is named.
#[test]
fn the_process_under_test() {
    if let Ok(case) = std::env::var(CASE) {
        child(&case);
    }
}

fn all_arrive(case: &str) -> ExitStatus {
    let sink = Sink::start().unwrap();
    let status = end_of(spawn(case, &sink));
    assert_eq!(sink.spans().len(), SPANS, "{case}");
    status
}

#[test]
fn a_shutdown_on_a_current_thread_runtime_loses_nothing() {
    assert!(all_arrive("current_thread").success());
}

#[test]
fn a_shutdown_inside_the_task_of_a_one_worker_runtime_loses_nothing() {
    assert!(all_arrive("one_worker_task").success());
}

#[test]
fn the_last_handle_lets_its_spans_out() {
    assert!(all_arrive("dropped_handle").success());
}

#[test]
fn exit_lets_spans_out_and_keeps_its_code() {
    assert_eq!(all_arrive("exit").code(), Some(3));
}

#[test]
fn a_panic_lets_spans_out() {
    assert!(!all_arrive("panic").success());
}

#[test]
fn sigterm_lets_spans_out_and_still_ends_the_process() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    let sink = Sink::start().unwrap();
    let mut child = spawn("signal", &sink);
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.any(|line| line.unwrap().contains("ready")), "the process is up");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let status = end_of(child);
    assert_eq!(status.signal(), Some(15), "{status:?}");
    assert_eq!(sink.spans().len(), SPANS);
}
