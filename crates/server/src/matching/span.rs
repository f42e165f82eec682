//! Filters on one span.

use clew_model::{Attributes, Span, StatusCode};
use clew_store::{AttributeScope, Column, Comparison, Field, Operand};

use super::compare::satisfies;
use super::filter::Node;
use super::value::Found;

/// Whether a leaf of a filter holds for a span.
pub(super) fn holds(leaf: &Node, cluster: &str, span: &Span) -> bool {
    match leaf {
        Node::Text(text) => reads(text, span),
        Node::Compare(field, ..) | Node::Matches(field, ..) | Node::Exists(field) => {
            let mut held = false;
            each(field, cluster, span, &mut |found| held |= satisfies(leaf, &found) || is_kind(leaf, &found));
            held
        }
        // A span does not say what its journey holds.
        Node::Readable(_) | Node::All | Node::And(_) | Node::Or(_) | Node::Not(_) => false,
    }
}

/// Whether a leaf asks for this kind in another spelling.
fn is_kind(leaf: &Node, found: &Found<'_>) -> bool {
    let Node::Compare(Field::Column(Column::Kind), Comparison::Equal, Operand::Text(text)) = leaf else { return false };
    found.text().is_some_and(|found| found.eq_ignore_ascii_case(text))
}

/// Whether a person reads the text somewhere in the span.
pub(super) fn reads(text: &str, span: &Span) -> bool {
    let has = |other: &str| other.to_lowercase().contains(text);
    let in_values = |attributes: &Attributes| attributes.iter().any(|(_, value)| value.as_str().is_some_and(has));
    has(&span.name) || has(&span.status.message) || in_values(&span.attributes)
}

fn each<'a>(field: &Field, cluster: &'a str, span: &'a Span, take: &mut dyn FnMut(Found<'a>)) {
    match field {
        Field::Column(column) => {
            if let Some(found) = column_of(*column, cluster, span) {
                take(found);
            }
        }
        Field::Attribute(scope, key) => {
            let own = (*scope != AttributeScope::Resource).then(|| span.attributes.get(key)).flatten();
            let shared = (*scope != AttributeScope::Span).then(|| span.resource.get(key)).flatten();
            if let Some(value) = own.or(shared) {
                Found::each(value, take);
            }
        }
    }
}

/// What a column holds for a span, where it holds anything.
pub(super) fn column_of<'a>(column: Column, cluster: &'a str, span: &'a Span) -> Option<Found<'a>> {
    let attribute = |key: &str| span.attributes.get_str(key).and_then(Found::some);
    match column {
        Column::Cluster => Found::some(cluster),
        Column::Namespace => attribute("k8s.namespace.name"),
        Column::Kind => object(span).map(|(kind, _)| Found::Text(kind.into())).or_else(|| attribute("k8s.resource")),
        Column::Name => object(span).and_then(|(_, name)| Found::some(name)),
        Column::Uid => uid(span).and_then(Found::some),
        Column::Node => attribute("k8s.node.name"),
        Column::User => attribute("user.name"),
        Column::Agent => attribute("user_agent.original"),
        Column::Verb => verb(span).and_then(Found::some),
        Column::Service => span.resource.get_str("service.name").and_then(Found::some),
        Column::SpanName => Found::some(span.name.as_str()),
        Column::SpanKind => Found::some(format!("{:?}", span.kind).to_lowercase()),
        Column::Status => Found::some(status(span.status.code)),
        Column::StatusMessage => Found::some(span.status.message.as_str()),
        Column::Duration => span.duration().map(Found::Int),
        Column::State => attribute("clew.state"),
        Column::Reason => attribute("clew.waiting_on.reason"),
        Column::Command => attribute("clew.command"),
        Column::Journey | Column::TraceId => Found::some(span.trace_id.to_string()),
        Column::SpanId => Found::some(span.span_id.to_string()),
        Column::ParentId => span.parent.and_then(|parent| Found::some(parent.to_string())),
    }
}

/// The kind in the semantic conventions' spelling, and the name, of the object that a span is about.
fn object(span: &Span) -> Option<(&str, &str)> {
    span.attributes.iter().find_map(|(key, value)| {
        let kind = key.strip_prefix("k8s.")?.strip_suffix(".name")?;
        (kind != "namespace" && kind != "node").then_some((kind, value.as_str()?))
    })
}

fn uid(span: &Span) -> Option<&str> {
    let found = span.attributes.iter().find(|(key, _)| key.starts_with("k8s.") && key.ends_with(".uid"));
    found.and_then(|(_, value)| value.as_str())
}

fn verb(span: &Span) -> Option<&str> {
    let is_request = span.attributes.get_str("clew.kind") == Some("request");
    is_request.then(|| span.name.split(' ').next()).flatten()
}

/// The word for how a span ended.
pub(super) const fn status(code: StatusCode) -> &'static str {
    match code {
        StatusCode::Unset => "unset",
        StatusCode::Ok => "ok",
        StatusCode::Error => "error",
    }
}
