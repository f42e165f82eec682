//! A small API server, traced as Kubernetes' own: `--tracing-config-file`, `--feature-gates`, metrics, SIGTERM.
//!
//! ```sh
//! cat > tracing.yaml <<'EOF'
//! apiVersion: apiserver.config.k8s.io/v1
//! kind: TracingConfiguration
//! endpoint: localhost:4317
//! samplingRatePerMillion: 1000000
//! EOF
//! cargo run -p clew-instrument --example api_server -- --tracing-config-file=tracing.yaml
//! curl -i localhost:8001/api/v1/namespaces/default/pods/a
//! curl localhost:8001/metrics
//! ```

use axum::Router;
use axum::routing::{any, get};
use clew_instrument::http::{Filter, ServerLayer, filter};
use clew_instrument::{FeatureGates, Tracing, TracingConfiguration, attr, flush_on_signals, start};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const FEATURE: &str = "APIServerTracing";

type AnyError = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), AnyError> {
    let (mut gates, mut file) = (FeatureGates::default(), None);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("--feature-gates", value)) => gates = value.parse()?,
            Some(("--tracing-config-file", path)) => file = Some(PathBuf::from(path)),
            _ => {
                return Err(
                    format!("unknown argument {argument}: use --feature-gates=… or --tracing-config-file=…").into()
                );
            }
        }
    }
    let loaded = TracingConfiguration::from_flags(file.as_deref(), &gates, FEATURE)?;
    for deprecation in loaded.iter().flat_map(|loaded| &loaded.deprecations) {
        eprintln!("warning: {deprecation}");
    }
    let builder = Tracing::builder("apiserver").feature(&gates, FEATURE);
    let tracing = builder.configuration(loaded.map(|loaded| loaded.configuration)).build()?;
    flush_on_signals()?;
    println!("tracing is {}", tracing.state());
    let metrics = tracing.clone();
    let router = Router::new()
        .fallback(any(store))
        .layer(ServerLayer::new(&tracing))
        .route("/metrics", get(move || async move { metrics.prometheus() }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8001").await?;
    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

/// Every path is an object that is stored at once.
async fn store() -> &'static str {
    filter(Filter::Authorization, std::future::ready(())).await;
    let span = start("Create etcd3", [attr("key", "/registry/demo")]);
    span.event("Txn call succeeded", []);
    span.end_with_threshold(Duration::from_millis(500));
    "{}\n"
}
