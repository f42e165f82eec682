//! The four states of KEP-2831, cell by cell: spans, connections, headers. And the ways between them.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use axum::Router;
use axum::routing::get;
use clew_instrument::{FeatureGates, State, Tracing, TracingConfiguration, http};
use clew_testkit::otlp::Sink;
use std::time::Duration;
use support::{SAMPLED, TRACE, UNSAMPLED, configuration, no_environment, quick, recorder, send, serve};
use tower::{Layer, ServiceExt};

/// What an outgoing request of a handler carries.
#[derive(Debug, PartialEq)]
enum Header {
    None,
    /// The very header that came in.
    Same,
    /// The same trace, another span.
    Child {
        sampled: bool,
    },
    /// Another trace.
    New {
        sampled: bool,
    },
}

/// A server with a handler that calls another server; all traced.
struct Rig {
    tracing: Tracing,
    url: String,
    seen: std::sync::Arc<std::sync::Mutex<Vec<::http::HeaderMap>>>,
}

impl Rig {
    async fn new(tracing: Tracing) -> Self {
        let (downstream, seen) = recorder().await;
        let client = http::ClientLayer::new(&tracing).layer(support::http_client());
        let handler = move || async move {
            let request =
                ::http::Request::get(format!("http://{downstream}/")).body(http_body_util::Full::default()).unwrap();
            client.oneshot(request).await.unwrap().status().to_string()
        };
        let layer = http::ServerLayer::new(&tracing).trust(http::Trust::everyone());
        let address = serve(Router::new().route("/", get(handler)).layer(layer)).await;
        Self { tracing, url: format!("http://{address}/"), seen }
    }

    async fn call(&self, traceparent: Option<&str>) -> Header {
        let headers: Vec<(&str, &str)> = traceparent.map(|value| ("traceparent", value)).into_iter().collect();
        assert_eq!(send("GET", self.url.clone(), &headers).await.status(), 200);
        let seen = self.seen.lock().unwrap().pop().unwrap();
        let Some(value) = seen.get("traceparent").map(|value| value.to_str().unwrap().to_owned()) else {
            return Header::None;
        };
        let sampled = value.ends_with("-01");
        match traceparent {
            Some(sent) if sent == value => Header::Same,
            Some(_) if value.contains(TRACE) => Header::Child { sampled },
            _ => Header::New { sampled },
        }
    }
}

fn build(gate: bool, configuration: Option<TracingConfiguration>) -> Tracing {
    let gates: FeatureGates = format!("KubeletTracing={gate}").parse().unwrap();
    let builder = Tracing::builder("kubelet").environment(no_environment()).batching(quick());
    builder.feature(&gates, "KubeletTracing").configuration(configuration).build().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_cell_of_the_table_is_as_the_kep_says() {
    // (gate, rate, sent, outgoing header, spans that arrive)
    let on = Some(1_000_000);
    let cases = [
        (false, None, None, Header::None, 0),
        (false, None, Some(SAMPLED), Header::None, 0),
        (false, on, Some(SAMPLED), Header::None, 0),
        (true, None, None, Header::None, 0),
        (true, None, Some(UNSAMPLED), Header::Same, 0),
        (true, None, Some(SAMPLED), Header::Same, 0),
        (true, Some(0), None, Header::New { sampled: false }, 0),
        (true, Some(0), Some(UNSAMPLED), Header::Child { sampled: false }, 0),
        (true, Some(0), Some(SAMPLED), Header::Child { sampled: true }, 2),
        (true, on, None, Header::New { sampled: true }, 2),
        (true, on, Some(UNSAMPLED), Header::Child { sampled: false }, 0),
        (true, on, Some(SAMPLED), Header::Child { sampled: true }, 2),
    ];
    for (gate, rate, sent, header, spans) in cases {
        let sink = Sink::start().unwrap();
        let tracing = build(gate, rate.map(|rate| configuration(&sink, rate)));
        let rig = Rig::new(tracing.clone()).await;
        let cell = format!("gate {gate}, rate {rate:?}, sent {sent:?}");
        assert_eq!(rig.call(sent).await, header, "{cell}");
        assert!(tracing.flush(support::SOON));
        assert!(sink.wait_for_spans(spans, support::SOON), "{cell}");
        assert_eq!(sink.spans().len(), spans, "{cell}");
        let connects = gate && rate.is_some();
        assert_eq!(connected(&sink, connects).await, connects, "{cell}");
    }
}

/// Whether a connection was made; waits for one that must come, and a while for one that must not.
async fn connected(sink: &Sink, expected: bool) -> bool {
    let rounds = if expected { 200 } else { 10 };
    for _ in 0..rounds {
        if sink.connections() > 0 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tracing_is_enabled_disabled_and_enabled_again_at_run_time() {
    let sink = Sink::start().unwrap();
    let rig = Rig::new(build(false, None)).await;
    assert_eq!(rig.call(Some(SAMPLED)).await, Header::None);
    assert_eq!(rig.tracing.reload(true, None).unwrap(), State::PassThrough);
    assert_eq!(rig.call(Some(SAMPLED)).await, Header::Same);
    for round in 1..=3 {
        assert!(matches!(rig.tracing.reload(true, Some(&configuration(&sink, 1_000_000))).unwrap(), State::On(_)));
        assert_eq!(rig.call(None).await, Header::New { sampled: true });
        assert_eq!(rig.tracing.reload(false, None).unwrap(), State::Off);
        // Switching off lets out what has ended.
        assert!(sink.wait_for_spans(2 * round, support::SOON), "round {round}");
        assert_eq!(rig.call(Some(SAMPLED)).await, Header::None);
        assert_eq!(sink.spans().len(), 2 * round);
    }
    let ledger = rig.tracing.snapshot().ledger;
    assert!(ledger.balances() && ledger.exported == 6 && ledger.dropped_total() == 0, "{ledger:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_moves_what_waits_to_the_new_collector() {
    let (old, new) = (Sink::start().unwrap(), Sink::start().unwrap());
    let batching = clew_instrument::Batching { delay: Duration::from_mins(1), ..quick() };
    let builder = Tracing::builder("apiserver").environment(no_environment()).batching(batching);
    let tracing = builder.configuration(configuration(&old, 1_000_000)).build().unwrap();
    let live = tracing.start("begun before", []);
    tracing.start("waits", []).end();
    tracing.reload(true, Some(&configuration(&new, 1_000_000))).unwrap();
    live.end();
    assert!(tracing.flush(support::SOON));
    assert!(new.wait_for_spans(2, support::SOON));
    assert_eq!(support::names(&new.spans()), ["begun before", "waits"]);
    assert_eq!(old.spans().len(), 0);
}

#[test]
fn a_broken_reload_changes_nothing() {
    let sink = Sink::start().unwrap();
    let tracing = build(true, Some(configuration(&sink, 1_000_000)));
    let broken = TracingConfiguration { endpoint: Some("http://x".into()), ..Default::default() };
    let error = tracing.reload(true, Some(&broken)).unwrap_err().to_string();
    assert!(error.contains("unsupported scheme: http."), "{error}");
    tracing.start("still here", []).end();
    assert_eq!(support::names(&support::spans(&tracing, &sink, 1)), ["still here"]);
}

#[test]
fn disabling_the_sdk_by_variable_is_like_the_gate() {
    let sink = Sink::start().unwrap();
    let env = clew_instrument::Environment::from_pairs([("OTEL_SDK_DISABLED", "true")]);
    let builder = Tracing::builder("kubelet").environment(env).configuration(configuration(&sink, 1_000_000));
    assert_eq!(builder.build().unwrap().state(), State::Off);
}
