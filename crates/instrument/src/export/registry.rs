//! Exporters by name.

use super::exporter::{Batch, Exported, Exporter, from_fn};
use super::lines::Lines;
use super::zipkin::{self, Zipkin};
use super::{console, gcp, presets};
use crate::error::Error;
use crate::net::Dialer;
use crate::settings::Environment;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What makes an exporter: it reads its settings from the environment.
pub type Factory = Arc<dyn Fn(&Making<'_>) -> Result<Arc<dyn Exporter>, Error> + Send + Sync>;

/// What an exporter is made from.
pub struct Making<'a> {
    env: &'a Environment,
    dialer: &'a Dialer,
}

impl Making<'_> {
    /// The variables: `<PREFIX>_TRACE_*` by [`Environment::own`], all others by [`Environment::get`].
    pub fn env(&self) -> &Environment {
        self.env
    }

    pub(super) fn dialer(&self) -> Dialer {
        self.dialer.clone()
    }
}

/// The exporters that can be chosen by name; users add their own.
#[derive(Clone)]
pub struct Registry {
    factories: BTreeMap<String, Factory>,
}

impl Default for Registry {
    fn default() -> Self {
        let mut registry = Self { factories: BTreeMap::new() };
        registry.register("otlp", presets::otlp);
        registry.register("jaeger", presets::jaeger);
        registry.register("xray", presets::xray);
        registry.register("datadog", presets::datadog);
        registry.register("gcp", gcp::gcp);
        registry.register("zipkin", zipkin_from_env);
        registry.register("file", file_from_env);
        registry.register("stdout", |_| Ok(Arc::new(Lines::stdout())));
        registry.register("console", |_| Ok(console::console()));
        registry.register("none", |_| Ok(from_fn("none_span_exporter", |_: &Batch| Ok(Exported::default()))));
        registry
    }
}

impl Registry {
    /// Adds an exporter, or replaces the one of this name.
    pub fn register<F>(&mut self, name: impl Into<String>, factory: F)
    where
        F: Fn(&Making<'_>) -> Result<Arc<dyn Exporter>, Error> + Send + Sync + 'static,
    {
        self.factories.insert(name.into(), Arc::new(factory));
    }

    /// The names that can be chosen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.factories.keys().map(String::as_str)
    }

    /// Makes the exporter of a name.
    pub fn get_exporter(&self, name: &str, env: &Environment) -> Result<Arc<dyn Exporter>, Error> {
        self.make(name, env, &Dialer::default())
    }

    pub(crate) fn make(&self, name: &str, env: &Environment, dialer: &Dialer) -> Result<Arc<dyn Exporter>, Error> {
        let Some(factory) = self.factories.get(name) else {
            let known: Vec<&str> = self.names().collect();
            return Err(Error::UnknownExporter { name: name.to_owned(), known: known.join(", ") });
        };
        factory(&Making { env, dialer })
    }
}

/// Makes one of the exporters that this crate brings.
///
/// ```
/// use clew_instrument::{Environment, export::get_exporter};
/// let env = Environment::from_pairs([("MINIKUBE_TRACE_ENDPOINT", "collector:4317")]).with_prefix("MINIKUBE");
/// assert_eq!(get_exporter("otlp", &env).unwrap().target().address.as_deref(), Some("collector"));
/// ```
pub fn get_exporter(name: &str, env: &Environment) -> Result<Arc<dyn Exporter>, Error> {
    Registry::default().get_exporter(name, env)
}

fn zipkin_from_env(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    let env = making.env();
    let url = env.own("ENDPOINT").or_else(|| env.get("OTEL_EXPORTER_ZIPKIN_ENDPOINT")).unwrap_or(zipkin::DEFAULT);
    let exporter =
        Zipkin::new(url, making.dialer()).map_err(|reason| Error::Exporter { name: "zipkin".to_owned(), reason })?;
    Ok(Arc::new(exporter))
}

fn file_from_env(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    let env = making.env();
    let fail = |reason: String| Error::Exporter { name: "file".to_owned(), reason };
    let path = env.own("FILE").ok_or_else(|| fail(format!("no path: set {}", env.own_name("FILE"))))?;
    let lines = Lines::file(Path::new(path)).map_err(|error| fail(format!("opening {path}: {error}")))?;
    Ok(Arc::new(lines))
}
