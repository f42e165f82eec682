//! An exporter of one's own, chosen by name.
//!
//! ```sh
//! DEMO_TRACE_EXPORTER=shout DEMO_TRACE_MARK='!!' cargo run -p clew-instrument --example custom_exporter
//! ```

use clew_instrument::export::{Batch, Exported, Registry, from_fn};
use clew_instrument::{Environment, Error, Tracing, attr};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let mut registry = Registry::default();
    registry.register("shout", |making| {
        let mark = making.env().own("MARK").unwrap_or("!").to_owned();
        Ok(from_fn("shout", move |batch: &Batch| {
            for span in &batch.spans {
                println!("{}{mark}", span.name.to_uppercase());
            }
            Ok(Exported::default())
        }))
    });
    let env = Environment::process().with_prefix("DEMO");
    let tracing = Tracing::from_env("demo", env).registry(registry).build()?;
    tracing.start("kubectl apply", [attr("documents", 4)]).end();
    tracing.shutdown(Duration::from_secs(5));
    Ok(())
}
