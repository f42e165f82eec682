//! The parameters of a request, in the manner of other tools: unknown ones are passed over, empty ones count as missing.

use axum::extract::{FromRequestParts, Query};
use clew_model::Time;
use clew_store::TimeRange;
use http::request::Parts;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::moment::unix;
use crate::traceql::duration_nanos;

/// The parameters of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Fault> {
        let query = Query::try_from_uri(&parts.uri);
        let Query(pairs) = query.map_err(|error| Fault::bad_request(format!("cannot read the parameters: {error}")))?;
        Ok(Self(pairs))
    }
}

impl Asked {
    /// The parameters that a JSON body stands for: nested names joined by dots, lists and deeper maps as JSON.
    pub(crate) fn from_json(body: &Map<String, Value>) -> Self {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut pairs = Vec::new();
        for (name, value) in body {
            match value {
                Value::Object(inner) => {
                    pairs.extend(inner.iter().map(|(key, value)| (format!("{name}.{key}"), text(value))));
                }
                plain => pairs.push((name.clone(), text(plain))),
            }
        }
        Self(pairs)
    }

    /// The names that were given.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of a parameter.
    pub(crate) fn all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        self.0.iter().filter(move |(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// A number of at least one and at most so many; what is larger is cut.
    pub(crate) fn limit(&self, name: &str, default: usize, most: usize) -> Result<usize, Fault> {
        let Some(text) = self.get(name) else { return Ok(default) };
        match text.parse::<usize>() {
            Ok(0) | Err(_) => Err(bad(name, text, "a whole number above zero")),
            Ok(number) => Ok(number.min(most)),
        }
    }

    /// Whether a switch is on.
    pub(crate) fn switch(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            None | Some("0" | "f" | "F" | "false" | "False" | "FALSE") => Ok(false),
            Some("1" | "t" | "T" | "true" | "True" | "TRUE") => Ok(true),
            Some(other) => Err(bad(name, other, "true or false")),
        }
    }

    /// A duration such as `1.5s`, in nanoseconds.
    pub(crate) fn duration(&self, name: &str) -> Result<Option<i64>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        duration_nanos(text).map(Some).ok_or_else(|| bad(name, text, "a duration such as 1.5s or 200ms"))
    }

    /// A moment, in units of so many nanoseconds since the epoch.
    pub(crate) fn moment(&self, name: &str, unit: i64) -> Result<Option<Time>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let moment = text.parse::<i64>().ok().and_then(|count| count.checked_mul(unit));
        moment.map(|nanos| Some(Time::from_nanos(nanos))).ok_or_else(|| bad(name, text, "a time as a whole number"))
    }

    /// A moment in RFC 3339.
    pub(crate) fn rfc3339(&self, name: &str) -> Result<Option<Time>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| bad(name, text, "a time such as 2026-01-02T03:04:05Z"))
    }

    /// The time from `start` to `end`, in whatever unit of the epoch they were written; zero counts as missing.
    pub(crate) fn range(&self) -> Result<TimeRange, Fault> {
        let moment = |name: &str| match self.get(name) {
            None => Ok(None),
            Some(text) => unix(text).ok_or_else(|| bad(name, text, "a time in seconds since the epoch")),
        };
        Ok(TimeRange { from: moment("start")?, to: moment("end")? })
    }
}

/// A parameter that is not what it must be.
fn bad(name: &str, text: &str, expected: &str) -> Fault {
    let text: String = text.chars().take(60).collect();
    Fault::bad_request(format!("parameter {name}: {text:?} is not {expected}"))
}
