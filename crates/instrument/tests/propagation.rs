//! Contexts in headers: W3C, baggage, B3, Jaeger, and what a component without tracing does with them.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::{Baggage, Context, Environment, Propagators, State, Tracing};
use http::HeaderMap;
use support::{PARENT, SAMPLED, TRACE, no_environment};

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    headers
}

fn with(names: &str) -> Tracing {
    let env = Environment::from_pairs([("OTEL_PROPAGATORS", names)]);
    Tracing::builder("test").environment(env).build().unwrap()
}

fn ids(context: &Context) -> (String, String, bool) {
    let span = context.span_context();
    (span.trace_id().to_string(), span.span_id().to_string(), span.is_sampled())
}

#[test]
fn a_component_without_exporter_passes_all_of_a_context_on() {
    let tracing = Tracing::builder("test").environment(no_environment()).build().unwrap();
    assert_eq!(tracing.state(), State::PassThrough);
    let sent =
        headers(&[("traceparent", SAMPLED), ("tracestate", "a=1"), ("tracestate", "b=2"), ("baggage", "k=v,l=w;p=q")]);
    let context = tracing.extract(&sent);
    let span = {
        let _current = context.enter();
        tracing.start("nothing is recorded", [])
    };
    let mut out = HeaderMap::new();
    tracing.inject(span.context(), &mut out);
    assert_eq!(out["traceparent"], SAMPLED);
    assert_eq!(out["tracestate"], "a=1,b=2");
    assert_eq!(out["baggage"], "k=v,l=w;p=q");
    assert_eq!(tracing.snapshot().started, 0);
}

#[test]
fn baggage_can_be_read_and_added_to() {
    let tracing = Tracing::builder("test").environment(no_environment()).build().unwrap();
    let context = tracing.extract(&headers(&[("baggage", "user=alice")]));
    let mut baggage: Baggage = context.baggage();
    assert_eq!(baggage.get("user"), Some("alice"));
    baggage.insert("tenant", "blue green").unwrap();
    let mut out = HeaderMap::new();
    tracing.inject(&context.with_baggage(&baggage), &mut out);
    assert_eq!(out["baggage"], "user=alice,tenant=blue%20green");
}

#[test]
fn a_broken_context_is_none() {
    let tracing = with("tracecontext,baggage");
    for broken in [
        "",
        "00",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    ] {
        let context = tracing.extract(&headers(&[("traceparent", broken)]));
        assert!(!context.span_context().is_valid(), "{broken}");
    }
    let twice = headers(&[("traceparent", SAMPLED), ("traceparent", SAMPLED)]);
    assert!(!tracing.extract(&twice).span_context().is_valid());
}

#[test]
fn a_broken_trace_state_is_left_behind() {
    let tracing = with("tracecontext");
    let context = tracing.extract(&headers(&[("traceparent", SAMPLED), ("tracestate", "not a state")]));
    let mut out = HeaderMap::new();
    tracing.inject(&context, &mut out);
    assert_eq!(out["traceparent"], SAMPLED);
    assert!(!out.contains_key("tracestate"));
}

#[test]
fn b3_is_read_in_both_its_forms() {
    let expected = (TRACE.to_owned(), PARENT.to_owned(), true);
    let tracing = with("b3");
    let single = format!("{TRACE}-{PARENT}-1");
    assert_eq!(ids(&tracing.extract(&headers(&[("b3", &single)]))), expected);
    let several = headers(&[("x-b3-traceid", TRACE), ("x-b3-spanid", PARENT), ("x-b3-sampled", "1")]);
    assert_eq!(ids(&tracing.extract(&several)), expected);
    let short = headers(&[("x-b3-traceid", "8448eb211c80319c"), ("x-b3-spanid", PARENT), ("x-b3-sampled", "0")]);
    assert_eq!(ids(&tracing.extract(&short)), ("00000000000000008448eb211c80319c".into(), PARENT.into(), false));
    for broken in ["0", "x-y-1", "-", "é"] {
        let headers =
            HeaderMap::from_iter([("b3".parse().unwrap(), http::HeaderValue::from_bytes(broken.as_bytes()).unwrap())]);
        assert!(!tracing.extract(&headers).span_context().is_valid(), "{broken}");
    }
}

#[test]
fn jaegers_header_is_read_also_when_its_colons_are_encoded() {
    let tracing = with("jaeger");
    for text in [format!("{TRACE}:{PARENT}:0:1"), format!("{TRACE}%3A{PARENT}%3A0%3A1")] {
        let context = tracing.extract(&headers(&[("uber-trace-id", &text)]));
        assert_eq!(ids(&context), (TRACE.to_owned(), PARENT.to_owned(), true));
    }
}

#[test]
fn all_chosen_forms_are_written_and_no_other() {
    let tracing = with("b3,b3multi,jaeger");
    let context = tracing.extract(&headers(&[("b3", &format!("{TRACE}-{PARENT}-1"))]));
    let mut out = HeaderMap::new();
    tracing.inject(&context, &mut out);
    assert_eq!(out["b3"], format!("{TRACE}-{PARENT}-1"));
    assert_eq!(out["x-b3-traceid"], TRACE);
    assert_eq!(out["uber-trace-id"], format!("{TRACE}:{PARENT}:0:1"));
    assert!(!out.contains_key("traceparent"));
    let none = with("none");
    assert_eq!(none.propagators(), Propagators::NONE);
}

#[test]
fn w3c_wins_over_the_older_forms() {
    let tracing = with("jaeger,b3,tracecontext");
    let other = "11111111111111111111111111111111";
    let both = headers(&[("b3", &format!("{other}-{PARENT}-0")), ("traceparent", SAMPLED)]);
    assert_eq!(ids(&tracing.extract(&both)).0, TRACE);
}

#[test]
fn an_unknown_propagator_is_named() {
    let env = Environment::from_pairs([("OTEL_PROPAGATORS", "tracecontext,ottrace")]);
    let error = Tracing::builder("test").environment(env).build().err().unwrap().to_string();
    assert!(error.contains("OTEL_PROPAGATORS") && error.contains("\"ottrace\" is not known"), "{error}");
}

proptest::proptest! {
    #[test]
    fn no_header_makes_extraction_panic(name in proptest::sample::select(vec!["traceparent", "tracestate", "baggage", "b3", "x-b3-traceid", "uber-trace-id"]), value in proptest::collection::vec(0x20_u8..0x7f, 0..80)) {
        let tracing = with("tracecontext,baggage,b3,jaeger");
        let mut headers = HeaderMap::new();
        headers.insert(name, http::HeaderValue::from_bytes(&value).unwrap());
        let context = tracing.extract(&headers);
        tracing.inject(&context, &mut HeaderMap::new());
    }
}
