//! Each key with its real form, and what must always hold.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::*;
use crate::{Result, SpanId, TraceContext, TraceId};

const PARENT: &str = "00-0102030405060708090a0b0c0d0e0f10-1112131415161718-01";

fn context() -> TraceContext {
    TraceContext::parse_traceparent(PARENT).unwrap()
}

fn ids() -> Vec<u8> {
    [context().trace_id.to_bytes().as_slice(), context().span_id.to_bytes().as_slice()].concat()
}

fn opencensus() -> Vec<u8> {
    let ids = ids();
    [&[0, 0], &ids[..16], &[1], &ids[16..], &[2, 1]].concat()
}

fn read(key: &str, value: &str) -> Result<Option<Found>> {
    Codec::default().read(|asked| (asked == key).then_some(value))
}

#[test]
fn every_known_key_is_read_in_its_own_form() {
    let json = format!(r#"{{"traceparent":"{PARENT}","tracestate":""}}"#);
    let jaeger = [ids(), vec![9; 8], vec![1], vec![0; 4]].concat();
    let cases = [
        ("tracing.k8s.io/traceparent", PARENT.to_owned()),
        ("trace.kubernetes.io/context", STANDARD.encode(opencensus())),
        ("trace.kubernetes.io/context", STANDARD.encode([ids(), vec![1]].concat())),
        ("trace.kubernetes.io/context", STANDARD.encode(jaeger)),
        ("trace.kubernetes.io/context", PARENT.to_owned()),
        ("operatortrace.azure.microsoft.com/traceparent", PARENT.to_owned()),
        ("tekton.dev/pipelinerunSpanContext", json.clone()),
        ("tekton.dev/taskrunSpanContext", json.clone()),
        ("opentelemetry.io/trace-context", json),
    ];
    for (key, value) in cases {
        let found = read(key, &value).unwrap().unwrap();
        assert_eq!(found, Found { context: context(), key: key.into() }, "{key}: {value}");
    }
}

#[test]
fn a_tracestate_beside_the_traceparent_is_read() {
    let annotations = BTreeMap::from([
        ("operatortrace.azure.microsoft.com/traceparent", PARENT),
        ("operatortrace.azure.microsoft.com/tracestate", "operatortrace_ts=1"),
    ]);
    let found = Codec::default().read(|key| annotations.get(key)).unwrap().unwrap();
    assert_eq!(found.context.trace_state.get("operatortrace_ts"), Some("1"));
}

#[test]
fn the_former_pair_of_operatortrace_is_read() {
    let annotations = BTreeMap::from([
        ("operatortrace.azure.microsoft.com/trace-id", "0102030405060708090a0b0c0d0e0f10"),
        ("operatortrace.azure.microsoft.com/span-id", "1112131415161718"),
    ]);
    let found = Codec::default().read(|key| annotations.get(key)).unwrap().unwrap();
    assert_eq!(found.context, context());
    assert_eq!(found.key, "operatortrace.azure.microsoft.com/trace-id");
}

#[test]
fn what_no_key_promises_is_refused_with_the_key() {
    let zero = STANDARD.encode([0; 25]);
    let wrong_field = STANDARD.encode([&[0, 7], &opencensus()[2..]].concat());
    let long = "x".repeat(49 * 1024);
    let cases = [
        ("tracing.k8s.io/traceparent", "spoofed-trace"),
        ("tracing.k8s.io/traceparent", ""),
        ("tracing.k8s.io/traceparent", long.as_str()),
        ("trace.kubernetes.io/context", "%%%"),
        ("trace.kubernetes.io/context", "AAAA"),
        ("trace.kubernetes.io/context", zero.as_str()),
        ("trace.kubernetes.io/context", wrong_field.as_str()),
        ("tekton.dev/taskrunSpanContext", "{}"),
        ("tekton.dev/taskrunSpanContext", "[]"),
        ("opentelemetry.io/trace-context", r#"{"traceparent":1}"#),
        ("opentelemetry.io/trace-context", r#"{"traceparent":"00-x"}"#),
    ];
    for (key, value) in cases {
        let error = read(key, value).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read annotation {key}: ")), "{error}");
    }
}

#[test]
fn ours_comes_before_others_and_a_bad_one_gives_way() {
    let other = PARENT.replace("0102", "ffff");
    let both = |ours: &str| {
        let annotations = BTreeMap::from([
            ("tracing.k8s.io/traceparent", ours.to_owned()),
            ("operatortrace.azure.microsoft.com/traceparent", other.clone()),
        ]);
        Codec::default().read(|key| annotations.get(key)).unwrap().unwrap().key
    };
    assert_eq!(both(PARENT), "tracing.k8s.io/traceparent");
    assert_eq!(both("spoofed"), "operatortrace.azure.microsoft.com/traceparent");
}

#[test]
fn an_object_without_annotations_has_no_context() {
    assert_eq!(Codec::default().read(|_| None::<&str>), Ok(None));
}

#[test]
fn a_configured_key_is_written_and_the_default_still_read() {
    let codec = Codec::new("trace.example.com/parent");
    assert_eq!(codec.key(), "trace.example.com/parent");
    let found = codec.read(|key| (key == DEFAULT_KEY).then_some(PARENT)).unwrap().unwrap();
    assert_eq!(found.key, DEFAULT_KEY);
    assert_eq!(codec.write(&context(), |key| (key == DEFAULT_KEY).then_some(PARENT)).as_deref(), Some(PARENT));
}

#[test]
fn what_is_right_already_is_not_rewritten() {
    let codec = Codec::default();
    assert_eq!(codec.write(&context(), |_| Some(PARENT)), None);
    let later_version = PARENT.replace("00-01", "cc-01") + "-more";
    assert_eq!(codec.write(&context(), |_| Some(later_version.as_str())), None);
    for stale in ["", "spoofed", &PARENT.replace("1112", "ffff"), &PARENT.replace("-01", "-00")] {
        assert_eq!(codec.write(&context(), |_| Some(stale)).as_deref(), Some(PARENT), "{stale}");
    }
}

#[test]
fn a_context_that_names_nothing_is_not_written() {
    let nothing = TraceContext::new(TraceId::INVALID, SpanId::INVALID, 1);
    assert_eq!(Codec::default().write(&nothing, |_| None::<&str>), None);
}

#[test]
fn tracing_keys_are_known_as_such() {
    let codec = Codec::new("trace.example.com/parent");
    for key in KNOWN_KEYS.into_iter().chain(["trace.example.com/parent", "tracing.k8s.io/tracestate"]) {
        assert!(codec.is_context_key(key), "{key}");
    }
    assert!(!codec.is_context_key("kubectl.kubernetes.io/last-applied-configuration"));
}

#[test]
fn a_parent_link_without_name_or_resource_is_refused() {
    let long = format!(r#"{{"resource":"pods","name":"{}"}}"#, "x".repeat(9000));
    for link in ["", "{}", "[]", r#"{"name":"x"}"#, r#"{"resource":"pods"}"#, r#"{"name":1}"#, &long] {
        assert!(parent_link(link, "c").is_err(), "{link}");
    }
    let link = r#"{"cluster":"core","group":"g","version":"v1","resource":"podprotectors","name":"p","extra":1}"#;
    assert_eq!(parent_link(link, "own").unwrap().cluster, "core");
}

#[test]
fn the_mark_of_redaction_counts_whatever_its_value() {
    assert!(is_redacted(|key| (key == DIFF_REDACTED).then_some("false")));
    assert!(!is_redacted(|_| None::<&str>));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(trace: [u8; 16], span: [u8; 8], sampled in 0..2_u8) {
        let context = TraceContext::new(TraceId::from_bytes(trace), SpanId::from_bytes(span), sampled);
        prop_assume!(context.is_valid());
        let codec = Codec::default();
        let value = codec.write(&context, |_| None::<&str>).unwrap();
        let get = |key: &str| (key == DEFAULT_KEY).then_some(value.as_str());
        prop_assert_eq!(codec.read(get).unwrap().unwrap().context, context.clone());
        prop_assert_eq!(codec.write(&context, get), None);
    }

    #[test]
    fn any_value_is_read_or_refused(value in ".{0,80}", key in 0..KNOWN_KEYS.len()) {
        let _ = read(KNOWN_KEYS[key], &value);
        let _ = parent_link(&value, "c");
    }

    #[test]
    fn any_bytes_in_base64_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = read("trace.kubernetes.io/context", &STANDARD.encode(bytes));
    }
}
