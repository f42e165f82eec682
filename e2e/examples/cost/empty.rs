//! A webhook that gives every object the same annotation and looks at nothing: what a call of any webhook costs.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use axum::routing::post;
use axum::{Json, Router};
use clew_collect::tls::{Clients, Keep, Own, Tls};
use clew_e2e::{Cluster, Identity};
use clew_model::Time;
use clew_server::admission::{Reached, Trust, configuration};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The word by which this program is told to be the webhook.
pub(crate) const WORD: &str = "empty-webhook";
const PATIENCE: Duration = Duration::from_secs(10);
/// `[{"op":"add","path":"/metadata/annotations","value":{"tracing.k8s.io/traceparent":"00-…-01"}}]`, as clew answers for such an object.
const PATCH: &str = "W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2Fubm90YXRpb25zIiwidmFsdWUiOnsidHJhY2luZy5rOHMuaW8vdHJhY2VwYXJlbnQiOiIwMC00YmY5MmYzNTc3YjM0ZGE2YTNjZTkyOWQwZTBlNDczNi0wMGYwNjdhYTBiYTkwMmI3LTAxIn19XQ==";

/// Starts it inside the cluster, and has the API server call it in one namespace.
pub(crate) fn start(cluster: &Cluster, folder: &Path, port: u16, namespace: &str) -> Child {
    let own = std::env::current_exe().unwrap();
    let mut command = cluster.exec(own.to_str().unwrap()).unwrap();
    let child = command.args([WORD, &port.to_string()]).arg(folder).spawn().unwrap();
    let bundle = wait_for(&folder.join("ca.crt"));
    let reached = Reached::Url(format!("https://127.0.0.1:{port}"));
    let mut object = configuration("empty", &reached, &Trust::Authorities(bundle));
    let webhook = &mut object["webhooks"][0];
    webhook["name"] = "empty.clew.dev".into();
    webhook.as_object_mut().unwrap().remove("matchConditions");
    webhook["namespaceSelector"] = json!({"matchLabels": {"kubernetes.io/metadata.name": namespace}});
    cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &object.to_string()).unwrap();
    child
}

fn wait_for(file: &Path) -> String {
    let start = Instant::now();
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) if !text.is_empty() => return text,
            _ => assert!(start.elapsed() < PATIENCE, "the empty webhook did not start"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Is the webhook, until it is killed.
pub(crate) fn serve(port: u16, folder: PathBuf) {
    Runtime::new().unwrap().block_on(async {
        let names = vec!["127.0.0.1".to_owned()];
        let own = Own::open(Keep::Folder(folder.clone()), folder, names, now()).await.unwrap();
        let acceptor = Tls { certificate: own.certificate(), clients: Clients::Any }.acceptor().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let router = Router::new().route("/admission", post(answer));
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (acceptor, service) = (acceptor.clone(), TowerToHyperService::new(router.clone()));
            tokio::spawn(async move {
                let stream = TokioIo::new(acceptor.accept(stream).await.unwrap());
                let _ = Builder::new(TokioExecutor::new()).serve_connection(stream, service).await;
            });
        }
    });
}

#[derive(Deserialize)]
struct Review {
    request: Asked,
}

#[derive(Deserialize)]
struct Asked {
    uid: String,
}

async fn answer(Json(review): Json<Review>) -> Json<Value> {
    Json(json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "response": {"uid": review.request.uid, "allowed": true, "patchType": "JSONPatch", "patch": PATCH},
    }))
}

fn now() -> Time {
    Time::from_nanos(crate::load::now())
}
