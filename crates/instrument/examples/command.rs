//! A command line tool whose steps are traced, to wherever its own or OpenTelemetry's variables say.
//!
//! ```sh
//! DEMO_TRACE_EXPORTER=console cargo run -p clew-instrument --example command
//! DEMO_TRACE_EXPORTER=file DEMO_TRACE_FILE=spans.jsonl cargo run -p clew-instrument --example command
//! OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4317 cargo run -p clew-instrument --example command
//! ```

use clew_instrument::{Environment, Tracing, attr, exit, flush_on_panic, start};
use std::time::Duration;

fn main() {
    let env = Environment::process().with_prefix("DEMO");
    let tracing = match Tracing::from_env("demo", env).build() {
        Ok(tracing) => tracing,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    };
    flush_on_panic();
    let command = tracing.start("demo apply", [attr("documents", 2)]);
    {
        let _current = command.enter();
        for kind in ["Deployment", "Service"] {
            let step = start(format!("apply {kind}"), [attr("k8s.kind", kind)]);
            std::thread::sleep(Duration::from_millis(5));
            step.event("created", []);
            step.end_with_threshold(Duration::from_secs(1));
        }
    }
    command.end();
    // Not std::process::exit: that would lose the spans that wait.
    exit(0);
}
