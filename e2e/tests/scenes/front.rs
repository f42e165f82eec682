//! HTTPS before a clew that speaks HTTP, for the API server, which calls no webhook without TLS.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use clew_e2e::{Cluster, Identity};
use clew_server::admission::{Reached, Trust, configuration};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::runtime::Runtime;

use crate::clew::Clew;
use crate::harness::eventually;
use crate::tls;

/// The outer side of a webhook: its port is known before the cluster is there, the clew behind it only after.
pub(crate) struct Front {
    pub(crate) port: u16,
    authority: String,
    behind: Arc<OnceLock<u16>>,
}

impl Front {
    pub(crate) fn serve(runtime: &Runtime) -> Self {
        let behind = Arc::new(OnceLock::new());
        let (port, authority) = tls::serve(runtime, passing(Arc::clone(&behind)));
        Self { port, authority, behind }
    }

    /// Makes the API server call this clew; returns when it does.
    pub(crate) fn call(&self, clew: &Clew, cluster: &Cluster) {
        self.behind.set(clew.port()).unwrap();
        let reached = Reached::Url(format!("https://127.0.0.1:{}", self.port));
        let trust = Trust::Authorities(self.authority.clone());
        let object = configuration(&format!("clew-{}", self.port), &reached, &trust).to_string();
        cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &object).unwrap_or_else(|error| panic!("{error}"));
        eventually("the API server to call the webhook", || {
            let probe = ["create", "configmap", "probe", "--dry-run=server", "-o", "json"];
            let made = cluster.kubectl(Identity::Admin, &probe);
            let told = clew.ask("/api/v1/status");
            let came = |source: &serde_json::Value| source["kind"] == "admission" && !source["lastSeen"].is_null();
            let asked = told["sources"].as_array().is_some_and(|sources| sources.iter().any(came));
            made.ok().filter(|text| asked && text.contains("tracing.k8s.io/traceparent"))
        });
    }
}

fn passing(behind: Arc<OnceLock<u16>>) -> Router {
    let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build_http();
    Router::new().fallback(move |mut request: Request| {
        let (client, port) = (client.clone(), behind.get().copied().unwrap_or_default());
        async move {
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
            *request.uri_mut() = format!("http://127.0.0.1:{port}{path}").parse().unwrap();
            request.headers_mut().remove(http::header::HOST);
            *request.version_mut() = http::Version::HTTP_11;
            client.request(request).await.map(|answer| answer.map(Body::new)).map_err(|_| http::StatusCode::BAD_GATEWAY)
        }
    })
}
