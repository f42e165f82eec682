//! clew's own tracing: configured as Kubernetes components are, by a `TracingConfiguration`.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clew_instrument::{Tracing, TracingConfiguration};

/// How long the last spans may take to leave.
const FLUSH: Duration = Duration::from_secs(2);

/// Spans of clew's own requests, if a configuration asks for them; otherwise contexts only pass through.
pub(super) fn tracing(file: Option<&Path>) -> anyhow::Result<Tracing> {
    let builder = Tracing::builder("clew");
    let builder = match file {
        Some(path) => {
            let loaded = TracingConfiguration::from_file(path);
            let loaded = loaded.with_context(|| format!("cannot use --tracing-config-file {}", path.display()))?;
            for deprecation in &loaded.deprecations {
                anstream::eprintln!("{deprecation}");
            }
            builder.configuration(loaded.configuration)
        }
        None => builder,
    };
    builder.build().context("cannot set up clew's own tracing")
}

/// Sends what is left.
pub(super) async fn flush(tracing: Tracing) {
    // On a thread of its own: it waits, and the runtime may have one worker only.
    let _ = tokio::task::spawn_blocking(move || tracing.shutdown(FLUSH)).await;
}
