//! The watch over a scripted API server: pages, resumption, versions that are gone, resources that come and go.
//!
//! The real API server is met in `e2e/`; it cannot be made to say 410 at a given moment.

mod common;

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use clew_collect::capture::Source;
use clew_collect::record::{Plan, WatchFrom};
use clew_collect::watch::Selection;
use common::{Recording, plan};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Answers in order to the requests for one resource; the last one is given for ever.
type Script = Arc<Mutex<VecDeque<(u16, String)>>>;

struct ApiServer {
    folder: TempDir,
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
struct Served {
    script: Script,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ApiServer {
    async fn start(script: &[(u16, &str)]) -> Self {
        let server = Self::at(free_port());
        server.serve(script).await;
        server
    }

    /// A server that a kubeconfig names, but that does not run yet.
    fn at(port: u16) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let kubeconfig = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
             clusters: [{{name: c, cluster: {{server: \"http://127.0.0.1:{port}\"}}}}]\n\
             users: [{{name: u, user: {{}}}}]\ncontexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n"
        );
        fs::write(folder.path().join("kubeconfig"), kubeconfig).expect("write");
        Self { folder, port, asked: Arc::default() }
    }

    async fn serve(&self, script: &[(u16, &str)]) {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", self.port)).await.expect("bind");
        let script = script.iter().map(|(code, body)| (*code, (*body).to_owned())).collect();
        let served = Served { script: Arc::new(Mutex::new(script)), asked: Arc::clone(&self.asked) };
        let app = Router::new().fallback(answer).with_state(served);
        tokio::spawn(async move { axum::serve(listener, app).await });
    }

    fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    fn record(&self) -> Recording {
        let kubeconfig = Some(self.kubeconfig());
        let watch = WatchFrom { kubeconfig, context: None, selection: Selection::default() };
        Recording::start(|out| Plan { watch: Some(watch), ..plan(out) })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("lock").clone()
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").expect("bind").local_addr().expect("address").port()
}

async fn answer(State(served): State<Served>, uri: Uri) -> Response {
    let resource = json!({"resource": "secrets", "verbs": ["list", "watch"], "scope": "Namespaced"});
    match uri.path() {
        "/api" => axum_json(&json!({"items": [{"versions": [{"version": "v1", "resources": [resource]}]}]})),
        "/apis" => axum_json(&json!({"items": []})),
        _ => {
            served.asked.lock().expect("lock").push(uri.to_string());
            let mut script = served.script.lock().expect("lock");
            let next = if script.len() > 1 { script.pop_front() } else { script.front().cloned() };
            let (code, body) = next.expect("a script");
            (StatusCode::from_u16(code).expect("a code"), Body::from(body)).into_response()
        }
    }
}

fn axum_json(value: &Value) -> Response {
    Body::from(value.to_string()).into_response()
}

fn seen(lines: &[String]) -> Vec<(String, String)> {
    let field = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let parse = |line: &String| -> Value { serde_json::from_str(line).expect("JSON") };
    let lines = lines.iter().map(parse);
    lines.map(|line| (field(&line, "type"), field(&line["object"]["metadata"], "name"))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(kind, name)| ((*kind).to_owned(), (*name).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_listed_then_watched_and_resumed_and_listed_anew_when_gone() {
    let server = ApiServer::start(&[
        (200, r#"{"metadata":{"resourceVersion":"5","continue":"next"},"items":[{"metadata":{"name":"a"},"data":{"p":"aHVudGVyMi1kby1ub3Qtc3RvcmU="}}]}"#),
        (200, r#"{"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"b"}}]}"#),
        (200, "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"6\"}}}\n{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n"),
        (200, "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"10\"}}}\n{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n"),
        (200, r#"{"metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"d"}}]}"#),
        (410, ""),
        (200, r#"{"metadata":{"resourceVersion":"30"},"items":null}"#),
        (404, ""),
    ])
    .await;
    let recording = server.record();
    recording.wait_until(|_| server.asked().len() >= 8).await;
    let (_, lines) = recording.end().await;
    let watch = &lines[&Source::Watch];
    let expected =
        [("LISTED", "a"), ("LISTED", "b"), ("ADDED", "c"), ("BOOKMARK", ""), ("DELETED", "c"), ("LISTED", "d")];
    assert_eq!(seen(watch), pairs(&expected));
    assert!(watch[0].contains(
        r#""path":"/api/v1/secrets","type":"LISTED","object":{"metadata":{"name":"a"},"data":{"p":"redacted:"#
    ));
    let asked = server.asked();
    assert_eq!(asked[1], "/api/v1/secrets?limit=250&continue=next");
    assert!(asked[2].contains("resourceVersion=5&") && asked[3].contains("resourceVersion=9&"), "{asked:?}");
    assert_eq!(asked[4], "/api/v1/secrets?limit=250", "gone: listed anew");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_resource_is_told_once_and_left_out() {
    let server = ApiServer::start(&[(403, "{}")]).await;
    let recording = server.record();
    recording.told("/api/v1/secrets is forbidden", "").await;
    let (summary, lines) = recording.end().await;
    assert!(lines[&Source::Watch].is_empty());
    assert_eq!(summary.watched, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_that_is_missing_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let kubeconfig = Some(folder.path().join("missing"));
    let watch = WatchFrom { kubeconfig, context: None, selection: Selection::default() };
    let plan = Plan { watch: Some(watch), ..plan(folder.path()) };
    let error = common::try_record(plan).await.expect_err("nothing to record");
    assert!(error.to_string().starts_with("nothing to record"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_comes_later_is_recorded() {
    let server = ApiServer::at(free_port());
    let recording = server.record();
    recording.told("the cluster does not answer, trying on: discovery failed: ", "").await;
    let list = r#"{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}}]}"#;
    server.serve(&[(200, list), (200, "")]).await;
    recording.told("has listed all 1 resources", "").await;
    let (_, lines) = recording.end().await;
    assert_eq!(seen(&lines[&Source::Watch]), pairs(&[("LISTED", "a")]));
}
