//! Variables, taken from the process once, at the edge.

use crate::error::Error;
use std::collections::BTreeMap;
use std::time::Duration;

/// The variables that settings are read from, and the prefix of the component's own.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    prefix: String,
}

impl Environment {
    /// The variables of the process.
    pub fn process() -> Self {
        let variables = std::env::vars_os();
        Self::from_pairs(
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// Variables that somebody else says.
    pub fn from_pairs<N: Into<String>, V: Into<String>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let variables = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, prefix: String::new() }
    }

    /// With the component's own prefix: `MINIKUBE` reads `MINIKUBE_TRACE_ENDPOINT` and so on.
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// A variable; an empty one counts as unset, as OpenTelemetry says.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The component's own setting: `<PREFIX>_TRACE_<NAME>`.
    pub fn own(&self, name: &str) -> Option<&str> {
        if self.prefix.is_empty() {
            return None;
        }
        self.get(&self.own_name(name))
    }

    /// What the component's own setting is called, for messages.
    pub fn own_name(&self, name: &str) -> String {
        if self.prefix.is_empty() { format!("TRACE_{name}") } else { format!("{}_TRACE_{name}", self.prefix) }
    }

    /// A setting of an OTLP exporter: the component's own, then the one for traces, then the one for all signals.
    pub(crate) fn otlp(&self, name: &str) -> Option<&str> {
        self.own(name)
            .or_else(|| self.get(&format!("OTEL_EXPORTER_OTLP_TRACES_{name}")))
            .or_else(|| self.get(&format!("OTEL_EXPORTER_OTLP_{name}")))
    }

    /// Whether a variable says true.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// A whole number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.parse().map_err(|_| invalid(name, value, "give a whole number, 0 or more"))?;
        Ok(Some(number))
    }

    /// A time in milliseconds.
    pub(crate) fn milliseconds(&self, name: &str) -> Result<Option<Duration>, Error> {
        Ok(self.number(name)?.map(Duration::from_millis))
    }
}

/// The error for a variable with a value that cannot be used.
pub(crate) fn invalid(name: &str, value: &str, reason: impl Into<String>) -> Error {
    Error::Environment { name: name.to_owned(), value: value.to_owned(), reason: reason.into() }
}
