//! The exporters by name, each against a real server or file.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use axum::Router;
use axum::extract::State as Shared;
use axum::routing::post;
use bytes::Bytes;
use clew_instrument::export::{Batch, Exported, Registry, from_fn, get_exporter};
use clew_instrument::{Environment, State, Tracing, attr};
use clew_testkit::otlp::Sink;
use http::HeaderMap;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde_json::Value;
use std::io::Read;
use std::sync::{Arc, Mutex};
use support::{SOON, attribute, serve};

/// One request that a server got: path, headers, body.
type Got = Arc<Mutex<Vec<(String, HeaderMap, Bytes)>>>;

async fn keep(Shared(got): Shared<Got>, uri: http::Uri, headers: HeaderMap, body: Bytes) -> &'static str {
    got.lock().unwrap().push((uri.path().to_owned(), headers, body));
    ""
}

async fn server() -> (std::net::SocketAddr, Got) {
    let got = Got::default();
    (serve(Router::new().fallback(post(keep)).with_state(Arc::clone(&got))).await, got)
}

fn environment(pairs: &[(&str, &str)]) -> Environment {
    Environment::from_pairs(pairs.iter().copied()).with_prefix("CLEW")
}

/// Emits one span through what the environment names, and waits until it is out.
async fn emit(env: Environment) -> Tracing {
    let tracing = Tracing::from_env("step", env).batching(support::quick()).build().unwrap();
    let span = tracing.start("kubectl apply", [attr("command", "kubectl"), attr("documents", 4)]);
    span.event("applied", [attr("kind", "Deployment")]);
    span.end();
    let flushing = tracing.clone();
    assert!(tokio::task::spawn_blocking(move || flushing.flush(SOON)).await.unwrap());
    let ledger = tracing.snapshot().ledger;
    assert_eq!((ledger.exported, ledger.dropped_total()), (1, 0), "{ledger:?}");
    tracing
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_speaks_protobuf_over_http() {
    let (address, got) = server().await;
    let url = format!("http://{address}/base");
    let env = [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str()),
        ("OTEL_EXPORTER_OTLP_HEADERS", "api-key=se%20cret"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
    ];
    emit(environment(&env)).await;
    let (path, headers, body) = got.lock().unwrap().remove(0);
    assert_eq!(
        (path.as_str(), &headers["api-key"], &headers["content-type"]),
        ("/base/v1/traces", &"se cret".parse().unwrap(), &"application/x-protobuf".parse().unwrap())
    );
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(body.as_ref()).read_to_end(&mut plain).unwrap();
    let request = ExportTraceServiceRequest::decode(plain.as_slice()).unwrap();
    let span = &request.resource_spans[0].scope_spans[0].spans[0];
    assert_eq!((span.name.as_str(), attribute(span, "documents").as_deref()), ("kubectl apply", Some("4")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn otlp_speaks_json_over_http() {
    let (address, got) = server().await;
    let url = format!("http://{address}/mine");
    let env = [("CLEW_TRACE_PROTOCOL", "http/json"), ("CLEW_TRACE_ENDPOINT", url.as_str())];
    emit(environment(&env)).await;
    let (path, headers, body) = got.lock().unwrap().remove(0);
    assert_eq!((path.as_str(), headers["content-type"].to_str().unwrap()), ("/mine", "application/json"));
    let json: Value = serde_json::from_slice(&body).unwrap();
    let span = &json["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(span["name"], "kubectl apply");
    assert_eq!(span["traceId"].as_str().unwrap().len(), 32, "ids are hex, as OTLP/JSON has them");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_go_with_grpc_and_compression_works() {
    let sink = Sink::start().unwrap();
    let endpoint = sink.endpoint();
    let env = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x-tenant=blue"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
    ];
    emit(environment(&env)).await;
    let received = sink.received();
    assert_eq!(received[0].metadata.get("x-tenant").unwrap(), "blue");
    assert_eq!(received[0].metadata.get("grpc-encoding").unwrap(), "gzip");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_gets_one_request_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spans.jsonl");
    let env = [("CLEW_TRACE_EXPORTER", "file"), ("CLEW_TRACE_FILE", path.to_str().unwrap())];
    emit(environment(&env)).await;
    emit(environment(&env)).await;
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<ExportTraceServiceRequest> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1].resource_spans[0].scope_spans[0].spans[0].name, "kubectl apply");
}

#[test]
fn a_file_without_a_path_says_which_variable_to_set() {
    let error = get_exporter("file", &environment(&[])).err().unwrap().to_string();
    assert_eq!(error, "exporter file: no path: set CLEW_TRACE_FILE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn zipkin_gets_its_v2_json() {
    let (address, got) = server().await;
    let url = format!("http://{address}/api/v2/spans");
    emit(environment(&[("OTEL_TRACES_EXPORTER", "zipkin"), ("OTEL_EXPORTER_ZIPKIN_ENDPOINT", &url)])).await;
    let (path, _, body) = got.lock().unwrap().remove(0);
    assert_eq!(path, "/api/v2/spans");
    let json: Value = serde_json::from_slice(&body).unwrap();
    let span = &json[0];
    assert_eq!(
        (&span["name"], &span["localEndpoint"]["serviceName"]),
        (&Value::from("kubectl apply"), &Value::from("step"))
    );
    assert_eq!(span["tags"]["documents"], "4");
    assert_eq!(span["annotations"][0]["value"], "\"applied\": {\"kind\":\"Deployment\"}");
    assert!(span["duration"].as_u64().unwrap() >= 1 && span["timestamp"].as_u64().unwrap() > 1_600_000_000_000_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn google_cloud_gets_a_token_and_a_project() {
    let (address, got) = server().await;
    let tokens = Router::new().fallback(post(|body: String| async move {
        assert!(
            body.starts_with("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=ey"),
            "{body}"
        );
        serde_json::json!({ "access_token": "tok3n", "expires_in": 3600 }).to_string()
    }));
    let token_uri = format!("http://{}/token", serve(tokens).await);
    let folder = tempfile::tempdir().unwrap();
    let credentials = folder.path().join("key.json");
    let key = serde_json::json!({
        "type": "service_account", "client_email": "clew@p.iam", "token_uri": token_uri,
        "private_key": include_str!("golden/rsa_test_key.pem"), "project_id": "from-key",
    });
    std::fs::write(&credentials, key.to_string()).unwrap();
    let endpoint = format!("http://{address}");
    let env = [
        ("CLEW_TRACE_EXPORTER", "gcp"),
        ("CLEW_TRACE_PROJECT_ID", "my-project"),
        ("CLEW_TRACE_ENDPOINT", endpoint.as_str()),
        ("GOOGLE_APPLICATION_CREDENTIALS", credentials.to_str().unwrap()),
    ];
    emit(environment(&env)).await;
    let (path, headers, body) = got.lock().unwrap().remove(0);
    assert_eq!(path, "/v1/traces");
    assert_eq!(
        (&headers["authorization"], &headers["x-goog-user-project"]),
        (&"Bearer tok3n".parse().unwrap(), &"my-project".parse().unwrap())
    );
    let request = ExportTraceServiceRequest::decode(body.as_ref()).unwrap();
    let resource = request.resource_spans[0].resource.as_ref().unwrap();
    assert!(resource.attributes.iter().any(|pair| pair.key == "gcp.project_id"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn google_clouds_machines_are_their_own_credentials() {
    let (address, got) = server().await;
    let metadata = Router::new().fallback(axum::routing::get(|headers: HeaderMap| async move {
        assert_eq!(headers["metadata-flavor"], "Google");
        serde_json::json!({ "access_token": "machine", "expires_in": 3600 }).to_string()
    }));
    let host = serve(metadata).await.to_string();
    let endpoint = format!("http://{address}");
    let env = [
        ("CLEW_TRACE_EXPORTER", "gcp"),
        ("GOOGLE_CLOUD_PROJECT", "p"),
        ("CLEW_TRACE_ENDPOINT", endpoint.as_str()),
        ("GCE_METADATA_HOST", host.as_str()),
    ];
    emit(environment(&env)).await;
    assert_eq!(got.lock().unwrap()[0].1["authorization"], "Bearer machine");
}

#[test]
fn google_cloud_without_a_project_says_what_to_set() {
    let error = get_exporter("gcp", &environment(&[])).err().unwrap().to_string();
    assert_eq!(error, "exporter gcp: no project: set CLEW_TRACE_PROJECT_ID or GOOGLE_CLOUD_PROJECT");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn datadog_gets_its_own_words() {
    let sink = Sink::start().unwrap();
    let endpoint = sink.endpoint();
    let env = [
        ("OTEL_TRACES_EXPORTER", "datadog"),
        ("CLEW_TRACE_ENDPOINT", endpoint.as_str()),
        ("DD_ENV", "prod"),
        ("DD_SERVICE", "kubectl"),
    ];
    emit(environment(&env)).await;
    let resource = sink.received()[0].request.resource_spans[0].resource.clone().unwrap();
    let text = format!("{resource:?}");
    assert!(
        text.contains("deployment.environment.name") && text.contains("prod") && text.contains("kubectl"),
        "{text}"
    );
}

#[test]
fn presets_know_where_their_agents_listen() {
    for name in ["jaeger", "xray", "datadog", "otlp"] {
        let target = get_exporter(name, &environment(&[])).unwrap().target();
        assert_eq!((target.address.as_deref(), target.port), (Some("localhost"), Some(4317)), "{name}");
    }
    let agent = get_exporter("datadog", &environment(&[("DD_AGENT_HOST", "10.0.0.9")])).unwrap().target();
    assert_eq!(agent.address.as_deref(), Some("10.0.0.9"));
}

#[test]
fn none_passes_contexts_through_and_connects_nowhere() {
    let tracing = Tracing::from_env("step", environment(&[("OTEL_TRACES_EXPORTER", "none")])).build().unwrap();
    assert_eq!(tracing.state(), State::PassThrough);
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error = get_exporter("stackdriver", &environment(&[])).err().unwrap().to_string();
    assert_eq!(
        error,
        "no exporter is called \"stackdriver\"; known are: console, datadog, file, gcp, jaeger, none, otlp, stdout, xray, zipkin"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_adds_an_exporter_in_a_few_lines() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let keeps = Arc::clone(&seen);
    let mut registry = Registry::default();
    registry.register("mine", move |making| {
        let keeps = Arc::clone(&keeps);
        let greeting = making.env().own("GREETING").unwrap_or_default().to_owned();
        Ok(from_fn("mine", move |batch: &Batch| {
            keeps.lock().unwrap().extend(batch.spans.iter().map(|span| format!("{greeting} {}", span.name)));
            Ok(Exported::default())
        }))
    });
    let env = environment(&[("CLEW_TRACE_EXPORTER", "mine"), ("CLEW_TRACE_GREETING", "hello")]);
    let tracing = Tracing::from_env("step", env).registry(registry).build().unwrap();
    tracing.start("world", []).end();
    assert!(tracing.shutdown(SOON));
    assert_eq!(*seen.lock().unwrap(), ["hello world"]);
}

#[test]
fn samplers_of_the_environment_are_followed() {
    for (name, argument, sampled) in
        [("always_off", "", 0), ("parentbased_traceidratio", "1", 20), ("traceidratio", "0", 0)]
    {
        let env = environment(&[
            ("OTEL_TRACES_SAMPLER", name),
            ("OTEL_TRACES_SAMPLER_ARG", argument),
            ("OTEL_TRACES_EXPORTER", "test"),
        ]);
        let mut registry = Registry::default();
        registry.register("test", |_| Ok(from_fn("test", |_: &Batch| Ok(Exported::default()))));
        let tracing = Tracing::from_env("step", env).registry(registry).build().unwrap();
        for _ in 0..20 {
            tracing.start("x", []).end();
        }
        assert_eq!(tracing.snapshot().started, sampled, "{name}");
    }
}
