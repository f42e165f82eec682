//! Out of and into whatever carries a trace context: HTTP headers, gRPC metadata, the environment.

use super::ows::trim_ows;
use crate::w3c::{Baggage, TraceContext, TraceState};

/// The names under which a carrier holds the three values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// Where the trace id, the parent and the flags are.
    pub traceparent: &'static str,
    /// Where the other tracing systems' values are.
    pub tracestate: &'static str,
    /// Where the application's values are.
    pub baggage: &'static str,
}

/// The names in HTTP headers and gRPC metadata.
pub const HEADERS: Names = Names { traceparent: "traceparent", tracestate: "tracestate", baggage: "baggage" };

/// The names in the environment of a child process.
pub const ENVIRONMENT: Names = Names { traceparent: "TRACEPARENT", tracestate: "TRACESTATE", baggage: "BAGGAGE" };

/// What a carrier held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The trace context; none if there was no valid `traceparent`.
    pub context: Option<TraceContext>,
    /// The baggage; empty if there was no valid one.
    pub baggage: Baggage,
}

/// Takes the context and the baggage out of a carrier, as the W3C text says.
///
/// A bad `traceparent` counts as none, a bad `tracestate` leaves the `traceparent` in force, and the baggage
/// stands on its own. A carrier that can hold a name several times gives nothing for a `traceparent` that comes
/// twice, and the others joined by commas.
///
/// ```
/// use clew_model::w3c::{self, ENVIRONMENT};
///
/// let environment = |name: &str| match name {
///     "TRACEPARENT" => Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
///     "TRACESTATE" => Some("congo=t61rcWkgMzE"),
///     _ => None,
/// };
/// let context = w3c::extract(&ENVIRONMENT, environment).context.expect("a context");
/// assert_eq!(context.trace_state.get("congo"), Some("t61rcWkgMzE"));
/// ```
pub fn extract<T: AsRef<str>>(names: &Names, get: impl Fn(&str) -> Option<T>) -> Extracted {
    let baggage = get(names.baggage).and_then(|text| text.as_ref().parse().ok()).unwrap_or_default();
    let context = get(names.traceparent).and_then(|text| {
        let mut context = TraceContext::parse_traceparent(trim_ows(text.as_ref())).ok()?;
        context.trace_state = trace_state(names, &get);
        Some(context)
    });
    Extracted { context, baggage }
}

fn trace_state<T: AsRef<str>>(names: &Names, get: impl Fn(&str) -> Option<T>) -> TraceState {
    get(names.tracestate).and_then(|text| text.as_ref().parse().ok()).unwrap_or_default()
}

/// Puts the context and the baggage into a carrier; what is empty is left out.
///
/// ```
/// use std::collections::BTreeMap;
/// use clew_model::{Baggage, SpanId, TraceContext, TraceId};
/// use clew_model::w3c::{self, HEADERS};
///
/// let context = TraceContext::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), 1);
/// let mut headers = BTreeMap::new();
/// w3c::inject(&HEADERS, &context, &Baggage::default(), |name, value| {
///     headers.insert(name, value);
/// });
/// assert_eq!(headers["traceparent"], "00-01010101010101010101010101010101-0202020202020202-01");
/// assert_eq!(headers.len(), 1);
/// ```
pub fn inject(names: &Names, context: &TraceContext, baggage: &Baggage, mut set: impl FnMut(&'static str, String)) {
    if context.is_valid() {
        set(names.traceparent, context.traceparent());
        if !context.trace_state.is_empty() {
            set(names.tracestate, context.trace_state.to_string());
        }
    }
    if !baggage.is_empty() {
        set(names.baggage, baggage.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{SpanId, TraceId};

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn from(carrier: &BTreeMap<&str, &str>) -> Extracted {
        extract(&HEADERS, |name| carrier.get(name))
    }

    #[test]
    fn what_is_injected_is_extracted() {
        let mut context = TraceContext::parse_traceparent(PARENT).unwrap();
        context.trace_state.insert("a", "1").unwrap();
        let mut baggage = Baggage::default();
        baggage.insert("k", "v v").unwrap();
        let mut carrier = BTreeMap::new();
        inject(&ENVIRONMENT, &context, &baggage, |name, value| {
            carrier.insert(name, value);
        });
        assert_eq!(carrier.keys().copied().collect::<Vec<_>>(), ["BAGGAGE", "TRACEPARENT", "TRACESTATE"]);
        let back = extract(&ENVIRONMENT, |name| carrier.get(name));
        assert_eq!(back, Extracted { context: Some(context), baggage });
    }

    #[test]
    fn a_bad_tracestate_leaves_the_traceparent_in_force() {
        let extracted = from(&BTreeMap::from([("traceparent", PARENT), ("tracestate", "a=1,a=2")]));
        assert!(extracted.context.unwrap().trace_state.is_empty());
    }

    #[test]
    fn a_tracestate_without_traceparent_counts_for_nothing() {
        assert_eq!(from(&BTreeMap::from([("tracestate", "a=1")])).context, None);
        assert_eq!(from(&BTreeMap::from([("traceparent", "x"), ("tracestate", "a=1")])).context, None);
    }

    #[test]
    fn white_space_around_a_header_is_cut_off() {
        let spaced = format!(" \t{PARENT}\t ");
        assert!(from(&BTreeMap::from([("traceparent", spaced.as_str())])).context.is_some());
    }

    #[test]
    fn a_context_that_names_nothing_is_not_injected() {
        let nothing = TraceContext::new(TraceId::INVALID, SpanId::INVALID, 1);
        inject(&HEADERS, &nothing, &Baggage::default(), |name, _| panic!("{name} was set"));
    }
}
