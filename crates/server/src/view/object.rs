//! An object, and the writes that changed it, from the spans of its requests.

use clew_model::{Span, SpanId, Time, TraceId, Value};
use clew_store::JourneyRow;
use clew_weave::fact::Condition;
use serde::Serialize;

use super::span::StatusView;

/// Which object it is.
#[derive(Debug, Serialize)]
pub(crate) struct ObjectView<'a> {
    cluster: &'a str,
    pub(crate) uid: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

/// One write.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change<'a> {
    time: Time,
    verb: &'a str,
    subresource: &'a str,
    user: &'a str,
    agent: &'a str,
    status: StatusView<'a>,
    journey: TraceId,
    span_id: SpanId,
    diff: Vec<FieldView<'a>>,
    message: &'a str,
}

/// What a write did to one field.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FieldView<'a> {
    path: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// The object of a request's span; its kind in the spelling of the journeys that have it.
pub(crate) fn object_of<'a>(span: &'a Span, rows: &'a [JourneyRow]) -> ObjectView<'a> {
    let text = |key: &str| span.attributes.get_str(key).unwrap_or_default();
    let (kind, uid) = uid_of(span).unwrap_or_default();
    let name = text(&format!("k8s.{kind}.name"));
    let row = rows.iter().find(|row| row.journey.journey == span.trace_id);
    let known = row.and_then(|row| row.journey.objects.iter().find(|object| object.uid.to_string() == uid));
    ObjectView {
        cluster: row.map_or("", |row| &row.cluster),
        uid,
        kind: known.map_or(if kind.is_empty() { text("k8s.resource") } else { kind }, |object| &object.kind),
        namespace: text("k8s.namespace.name"),
        name: known.map_or(name, |object| &object.name),
    }
}

/// `("deployment", uid)` of `k8s.deployment.uid`.
fn uid_of(span: &Span) -> Option<(&str, &str)> {
    span.attributes.iter().find_map(|(key, value)| {
        let kind = key.strip_prefix("k8s.")?.strip_suffix(".uid")?;
        Some((kind, value.as_str()?))
    })
}

/// The conditions of the newest version that any journey's span of the object tells of.
pub(crate) fn conditions(spans: &[Span], uid: &str) -> Vec<Condition> {
    let version = |span: &&Span| match span.attributes.get("clew.version") {
        Some(Value::Int(version)) => *version,
        _ => 0,
    };
    let of_it = spans.iter().filter(|span| uid_of(span).is_some_and(|(_, other)| other == uid));
    let newest = of_it.max_by_key(version).and_then(|span| span.attributes.get("clew.conditions"));
    let Some(Value::Array(lines)) = newest else { return Vec::new() };
    lines.iter().filter_map(Value::as_str).filter_map(|line| line.parse().ok()).collect()
}

/// The writes that requests' spans tell of, in their order.
pub(crate) fn changes(spans: &[Span]) -> Vec<Change<'_>> {
    spans.iter().map(change).collect()
}

fn change(span: &Span) -> Change<'_> {
    let text = |key: &str| span.attributes.get_str(key).unwrap_or_default();
    let (verb, target) = span.name.split_once(' ').unwrap_or((&span.name, ""));
    let diff = match span.attributes.get("clew.diff") {
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).filter_map(field).collect(),
        _ => Vec::new(),
    };
    Change {
        time: span.start,
        verb,
        subresource: target.split_once('/').map_or("", |(_, subresource)| subresource),
        user: text("user.name"),
        agent: text("user_agent.original"),
        status: StatusView::of(&span.status),
        journey: span.trace_id,
        span_id: span.span_id,
        diff,
        message: &span.status.message,
    }
}

/// Takes `path: before → after` apart again, as [`clew_weave::FieldDiff`] writes it.
fn field(line: &str) -> Option<FieldView<'_>> {
    let (path, values) = line.split_once(": ")?;
    let (before, after) = values.split_once(" → ")?;
    let side = |value| if value == "∅" { None } else { Some(value) };
    Some(FieldView { path, before: side(before), after: side(after) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_diff_is_taken_apart() {
        let line = field("spec.replicas: 1 → 6").unwrap();
        assert_eq!(line, FieldView { path: "spec.replicas", before: Some("1"), after: Some("6") });
        let added = field("annotations[a.b/c]: ∅ → x: y → z").unwrap();
        assert_eq!(added, FieldView { path: "annotations[a.b/c]", before: None, after: Some("x: y → z") });
        assert_eq!(field("no diff"), None);
    }
}
