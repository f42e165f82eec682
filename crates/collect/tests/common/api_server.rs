//! An API server that answers by a script, with one resource: secrets.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Answers in order to the requests for one resource; the last one is given for ever.
type Script = Arc<Mutex<VecDeque<(u16, String)>>>;

pub(crate) struct ApiServer {
    folder: TempDir,
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    accepted: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
struct Served {
    script: Script,
    asked: Arc<Mutex<Vec<String>>>,
    accepted: Arc<Mutex<Vec<String>>>,
}

impl ApiServer {
    pub(crate) async fn start(script: &[(u16, &str)]) -> Self {
        let server = Self::at(free_port());
        server.serve(script).await;
        server
    }

    /// A server that a kubeconfig names, but that does not run yet.
    pub(crate) fn at(port: u16) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let kubeconfig = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
             clusters: [{{name: c, cluster: {{server: \"http://127.0.0.1:{port}\"}}}}]\n\
             users: [{{name: u, user: {{}}}}]\ncontexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n"
        );
        fs::write(folder.path().join("kubeconfig"), kubeconfig).expect("write");
        Self { folder, port, asked: Arc::default(), accepted: Arc::default() }
    }

    pub(crate) async fn serve(&self, script: &[(u16, &str)]) {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", self.port)).await.expect("bind");
        let script = script.iter().map(|(code, body)| (*code, (*body).to_owned())).collect();
        let served = Served {
            script: Arc::new(Mutex::new(script)),
            asked: Arc::clone(&self.asked),
            accepted: Arc::clone(&self.accepted),
        };
        let app = Router::new().fallback(answer).with_state(served);
        tokio::spawn(async move { axum::serve(listener, app).await });
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// What each request would take.
    pub(crate) fn accepted(&self) -> Vec<String> {
        self.accepted.lock().expect("lock").clone()
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("lock").clone()
    }
}

pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").expect("bind").local_addr().expect("address").port()
}

async fn answer(State(served): State<Served>, uri: Uri, headers: HeaderMap) -> Response {
    let resource = json!({"resource": "secrets", "verbs": ["list", "watch"], "scope": "Namespaced"});
    match uri.path() {
        "/api" => axum_json(&json!({"items": [{"versions": [{"version": "v1", "resources": [resource]}]}]})),
        "/apis" => axum_json(&json!({"items": []})),
        _ => {
            served.asked.lock().expect("lock").push(uri.to_string());
            let accept = headers.get(header::ACCEPT).expect("an Accept header").to_str().expect("text").to_owned();
            served.accepted.lock().expect("lock").push(accept);
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
