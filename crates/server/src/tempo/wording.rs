//! OTLP's JSON in Tempo's words: ids in base64 and enums by name, as its library for protobuf writes them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

const KINDS: [&str; 6] = [
    "SPAN_KIND_UNSPECIFIED",
    "SPAN_KIND_INTERNAL",
    "SPAN_KIND_SERVER",
    "SPAN_KIND_CLIENT",
    "SPAN_KIND_PRODUCER",
    "SPAN_KIND_CONSUMER",
];
const CODES: [&str; 3] = ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"];

/// Rewrites a trace.
pub(super) fn in_tempos_words(mut trace: Value) -> Value {
    for group in items(&mut trace, "resourceSpans") {
        for scoped in items(group, "scopeSpans") {
            for span in items(scoped, "spans") {
                rewrite(span);
            }
        }
    }
    trace
}

fn items<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

fn rewrite(span: &mut Value) {
    for key in ["traceId", "spanId", "parentSpanId"] {
        to_base64(span, key);
    }
    name(span.get_mut("kind"), &KINDS);
    name(span.pointer_mut("/status/code"), &CODES);
    for link in items(span, "links") {
        to_base64(link, "traceId");
        to_base64(link, "spanId");
    }
}

fn name(number: Option<&mut Value>, names: &[&str]) {
    let Some(number) = number else { return };
    let index = number.as_u64().and_then(|index| usize::try_from(index).ok());
    if let Some(name) = index.and_then(|index| names.get(index)) {
        *number = Value::from(*name);
    }
}

fn to_base64(value: &mut Value, key: &str) {
    let Some(id) = value.get_mut(key) else { return };
    let bytes = id.as_str().map(|hex| {
        let pairs = hex.as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok());
        pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect::<Vec<u8>>()
    });
    if let Some(bytes) = bytes {
        *id = Value::from(BASE64_STANDARD.encode(bytes));
    }
}
