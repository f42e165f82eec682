//! OTLP/JSON trace requests into spans, and spans into facts.

use std::sync::Arc;

use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, SpanLink, Status, StatusCode, Time, TraceId, Value};
use clew_weave::fact::{NativeSpans, Uid};
use compact_str::CompactString;
use serde::{Deserialize, Deserializer};

/// How deep an attribute's value may nest.
const MAX_DEPTH: usize = 16;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(default)]
    resource_spans: Vec<ResourceSpans>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans {
    #[serde(default)]
    resource: Resource,
    #[serde(default)]
    scope_spans: Vec<ScopeSpans>,
}

#[derive(Default, Deserialize)]
struct Resource {
    #[serde(default)]
    attributes: Vec<KeyValue>,
}

#[derive(Deserialize)]
struct ScopeSpans {
    #[serde(default)]
    scope: Scope,
    #[serde(default)]
    spans: Vec<JsonSpan>,
}

#[derive(Default, Deserialize)]
struct Scope {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonSpan {
    trace_id: String,
    span_id: String,
    #[serde(default)]
    parent_span_id: String,
    #[serde(default)]
    trace_state: String,
    #[serde(default)]
    flags: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    kind: serde_json::Value,
    #[serde(default, deserialize_with = "number")]
    start_time_unix_nano: u64,
    #[serde(default, deserialize_with = "number")]
    end_time_unix_nano: u64,
    #[serde(default)]
    attributes: Vec<KeyValue>,
    #[serde(default)]
    events: Vec<JsonEvent>,
    #[serde(default)]
    links: Vec<JsonLink>,
    #[serde(default)]
    status: JsonStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonEvent {
    #[serde(default, deserialize_with = "number")]
    time_unix_nano: u64,
    #[serde(default)]
    name: String,
    #[serde(default)]
    attributes: Vec<KeyValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonLink {
    trace_id: String,
    span_id: String,
    #[serde(default)]
    attributes: Vec<KeyValue>,
}

#[derive(Default, Deserialize)]
struct JsonStatus {
    #[serde(default)]
    code: serde_json::Value,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct KeyValue {
    key: String,
    #[serde(default)]
    value: serde_json::Value,
}

/// Decodes one request into spans; a span whose ids are not ids is an error.
pub fn spans(bytes: &[u8]) -> Result<Vec<Span>, serde_json::Error> {
    let request: Request = serde_json::from_slice(bytes)?;
    let mut spans = Vec::new();
    for group in request.resource_spans {
        let resource = Arc::new(attributes(group.resource.attributes));
        for scoped in group.scope_spans {
            let scope: Arc<str> = scoped.scope.name.as_str().into();
            for span in scoped.spans {
                spans.push(span_of(span, &resource, &scope)?);
            }
        }
    }
    Ok(spans)
}

/// What the weaver needs of a span to place it.
pub fn native(span: &Span) -> NativeSpans {
    let text = |key: &str| span.attributes.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    NativeSpans {
        trace: span.trace_id,
        spans: 1,
        start: span.start,
        audit: text("audit-id").or_else(|| text("audit.id")).map(Uid::new),
        pod: text("k8s.pod.uid").map(Uid::new),
        runtime: ["container.id", "sandbox.id", "pod.sandbox.id"]
            .iter()
            .find_map(|key| text(key))
            .map(CompactString::from),
        review: text("k8s.admission.review.uid").map(Uid::new),
        links: span.links.iter().map(|link| link.trace_id).collect(),
    }
}

fn span_of(span: JsonSpan, resource: &Arc<Attributes>, scope: &Arc<str>) -> Result<Span, serde_json::Error> {
    let parent = if span.parent_span_id.is_empty() { None } else { Some(id::<SpanId>(&span.parent_span_id)?) };
    let end = (span.end_time_unix_nano > 0).then(|| Time::from_unsigned_nanos(span.end_time_unix_nano));
    let mut links = Vec::with_capacity(span.links.len());
    for link in span.links {
        links.push(SpanLink {
            trace_id: id(&link.trace_id)?,
            span_id: id(&link.span_id)?,
            trace_state: CompactString::default(),
            attributes: attributes(link.attributes),
        });
    }
    Ok(Span {
        trace_id: id::<TraceId>(&span.trace_id)?,
        span_id: id(&span.span_id)?,
        parent: parent.filter(|parent| parent.is_valid()),
        trace_state: span.trace_state.into(),
        flags: span.flags,
        name: span.name.into(),
        kind: kind(&span.kind),
        start: Time::from_unsigned_nanos(span.start_time_unix_nano),
        end,
        status: Status { code: code(&span.status.code), message: span.status.message.into() },
        attributes: attributes(span.attributes),
        events: span.events.into_iter().map(event).collect(),
        links,
        resource: Arc::clone(resource),
        scope: Arc::clone(scope),
    })
}

fn id<T: std::str::FromStr>(text: &str) -> Result<T, serde_json::Error> {
    let lower = text.to_ascii_lowercase();
    lower.parse().map_err(|_| serde::de::Error::custom(format_args!("not an id: {text:?}")))
}

fn event(event: JsonEvent) -> SpanEvent {
    SpanEvent {
        time: Time::from_unsigned_nanos(event.time_unix_nano),
        name: event.name.into(),
        attributes: attributes(event.attributes),
    }
}

fn kind(value: &serde_json::Value) -> SpanKind {
    match (value.as_u64(), value.as_str()) {
        (Some(2), _) | (_, Some("SPAN_KIND_SERVER")) => SpanKind::Server,
        (Some(3), _) | (_, Some("SPAN_KIND_CLIENT")) => SpanKind::Client,
        (Some(4), _) | (_, Some("SPAN_KIND_PRODUCER")) => SpanKind::Producer,
        (Some(5), _) | (_, Some("SPAN_KIND_CONSUMER")) => SpanKind::Consumer,
        _ => SpanKind::Internal,
    }
}

fn code(value: &serde_json::Value) -> StatusCode {
    match (value.as_u64(), value.as_str()) {
        (Some(1), _) | (_, Some("STATUS_CODE_OK")) => StatusCode::Ok,
        (Some(2), _) | (_, Some("STATUS_CODE_ERROR")) => StatusCode::Error,
        _ => StatusCode::Unset,
    }
}

fn attributes(pairs: Vec<KeyValue>) -> Attributes {
    pairs.into_iter().map(|pair| (CompactString::from(pair.key), value(&pair.value, 0))).collect()
}

/// An OTLP value; what nests too deep, or is of no known type, becomes an empty string.
fn value(any: &serde_json::Value, depth: usize) -> Value {
    let Some((kind, inner)) = any.as_object().and_then(|map| map.iter().next()) else {
        return Value::Str(CompactString::default());
    };
    match kind.as_str() {
        "stringValue" => Value::Str(inner.as_str().unwrap_or_default().into()),
        "boolValue" => Value::Bool(inner.as_bool().unwrap_or_default()),
        "intValue" => Value::Int(integer(inner)),
        "doubleValue" => Value::Double(inner.as_f64().unwrap_or_default()),
        "arrayValue" if depth < MAX_DEPTH => {
            let items = inner.get("values").and_then(|values| values.as_array());
            Value::Array(items.into_iter().flatten().map(|item| value(item, depth + 1)).collect())
        }
        _ => Value::Str(inner.to_string().into()),
    }
}

fn integer(value: &serde_json::Value) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_default()
}

/// Protobuf's JSON has 64-bit numbers as strings; some write them bare.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    number.ok_or_else(|| serde::de::Error::custom("not a number of nanoseconds"))
}
