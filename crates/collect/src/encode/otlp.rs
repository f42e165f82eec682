//! Spans as OTLP/JSON, ready for Jaeger or a collector.

use clew_model::{Attributes, Span, Time, Value};
use serde_json::{Value as Json, json};

/// One `ExportTraceServiceRequest` with all the spans, grouped by who made them.
pub fn otlp_json(spans: &[Span]) -> Json {
    let mut groups: Vec<(&Span, Vec<Json>)> = Vec::new();
    for span in spans {
        let group = groups.iter_mut().find(|(first, _)| first.resource == span.resource && first.scope == span.scope);
        match group {
            Some((_, spans)) => spans.push(encode(span)),
            None => groups.push((span, vec![encode(span)])),
        }
    }
    let groups = groups.into_iter().map(|(first, spans)| {
        let scope = object([("scope", json!({"name": &*first.scope})), ("spans", Json::Array(spans))]);
        object([
            ("resource", object([("attributes", attributes(&first.resource))])),
            ("scopeSpans", Json::Array(vec![scope])),
        ])
    });
    object([("resourceSpans", groups.collect())])
}

/// What has much in it; `json!` would copy that once for each level.
fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn encode(span: &Span) -> Json {
    let events = span.events.iter().map(|event| {
        json!({"timeUnixNano": nanos(event.time), "name": event.name, "attributes": attributes(&event.attributes)})
    });
    let links = span.links.iter().map(
        |link| json!({"traceId": link.trace_id, "spanId": link.span_id, "attributes": attributes(&link.attributes)}),
    );
    let mut encoded = json!({
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "kind": span.kind as i32,
        "startTimeUnixNano": nanos(span.start),
        "endTimeUnixNano": nanos(span.end.unwrap_or(Time::UNIX_EPOCH)),
        "status": {"code": span.status.code as i32, "message": span.status.message},
    });
    if let Some(fields) = encoded.as_object_mut() {
        fields.insert("attributes".into(), attributes(&span.attributes));
        fields.insert("events".into(), events.collect());
        fields.insert("links".into(), links.collect());
        fields.extend(span.parent.map(|parent| ("parentSpanId".to_owned(), json!(parent))));
    }
    encoded
}

/// Protobuf's JSON has 64-bit numbers as strings.
fn nanos(time: Time) -> String {
    time.as_nanos().max(0).to_string()
}

fn attributes(attributes: &Attributes) -> Json {
    attributes.iter().map(|(key, value)| pair(key, value)).collect()
}

fn pair(key: &str, value: &Value) -> Json {
    object([("key", Json::from(key)), ("value", any(value))])
}

fn any(value: &Value) -> Json {
    match value {
        Value::Str(text) => json!({"stringValue": text}),
        Value::Bool(flag) => json!({"boolValue": flag}),
        Value::Int(number) => json!({"intValue": number.to_string()}),
        Value::Double(number) => json!({"doubleValue": number}),
        Value::Bytes(bytes) => json!({"bytesValue": base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes)}),
        Value::Array(items) => json!({"arrayValue": {"values": items.iter().map(any).collect::<Vec<_>>()}}),
        Value::Map(map) => {
            let pairs = map.iter().map(|(key, value)| pair(key, value));
            json!({"kvlistValue": {"values": pairs.collect::<Vec<_>>()}})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::otlp::spans;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let line = r#"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"kubelet"}}]},
            "scopeSpans":[{"scope":{"name":"s"},"spans":[{"traceId":"39b9a8e3a03cc9ccc268d1abbb75573e","spanId":"aa8107801f8a5e40",
            "parentSpanId":"ba85d1a34b9c5d39","name":"n","kind":3,"startTimeUnixNano":"17","endTimeUnixNano":"19",
            "attributes":[{"key":"i","value":{"intValue":"-7"}},{"key":"a","value":{"arrayValue":{"values":[{"boolValue":true}]}}}],
            "events":[{"timeUnixNano":"18","name":"e"}],"links":[{"traceId":"49b9a8e3a03cc9ccc268d1abbb75573e","spanId":"ba8107801f8a5e40"}],
            "status":{"code":2,"message":"m"}}]}]}]}"#;
        let read = spans(line.as_bytes()).unwrap();
        let written = otlp_json(&read).to_string();
        assert_eq!(spans(written.as_bytes()).unwrap(), read);
    }
}
