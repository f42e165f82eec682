//! What a span has under a name, and how two values compare.

use std::borrow::Cow;
use std::cmp::Ordering;

use clew_model::Value;
use clew_store::Comparison;
use regex::Regex;

use super::ast::{FieldName, Intrinsic, Scope};
use super::constant::{kind_word, status_word};
use super::tree::TraceView;

/// What the span at that place has under a name.
pub fn resolve<'a>(view: &TraceView<'a>, place: usize, field: &FieldName) -> Option<Cow<'a, Value>> {
    let span = view.spans.get(place)?;
    match field {
        FieldName::Attribute(Scope::Span, key) => span.attributes.get(key).map(Cow::Borrowed),
        FieldName::Attribute(Scope::Resource, key) => span.resource.get(key).map(Cow::Borrowed),
        FieldName::Attribute(Scope::Any, key) => {
            span.attributes.get(key).or_else(|| span.resource.get(key)).map(Cow::Borrowed)
        }
        FieldName::Intrinsic(intrinsic) => intrinsic_value(view, place, *intrinsic).map(Cow::Owned),
    }
}

fn intrinsic_value(view: &TraceView<'_>, place: usize, intrinsic: Intrinsic) -> Option<Value> {
    let span = &view.spans[place];
    let root = || view.root().map(|root| &view.spans[root]);
    match intrinsic {
        Intrinsic::Duration => span.duration().map(Value::Int),
        Intrinsic::Name => Some(Value::Str(span.name.clone())),
        Intrinsic::Status => Some(Value::from(status_word(span.status.code))),
        Intrinsic::StatusMessage => (!span.status.message.is_empty()).then(|| Value::Str(span.status.message.clone())),
        Intrinsic::Kind => Some(Value::from(kind_word(span.kind))),
        Intrinsic::TraceDuration => Some(Value::Int(view.extent().1)),
        Intrinsic::RootName => root().map(|root| Value::Str(root.name.clone())),
        Intrinsic::RootServiceName => root()?.resource.get("service.name").cloned(),
        Intrinsic::TraceId => Some(Value::from(span.trace_id.to_string())),
        Intrinsic::SpanId => Some(Value::from(span.span_id.to_string())),
        Intrinsic::ParentId => span.parent.map(|parent| Value::from(parent.to_string())),
        Intrinsic::NestedSetParent => Some(Value::Int(view.nested_parent(place))),
        Intrinsic::NestedSetLeft => Some(Value::Int(view.nested(place).0)),
        Intrinsic::NestedSetRight => Some(Value::Int(view.nested(place).1)),
    }
}

/// Whether the comparison holds; it holds for a list if it holds for one of its values, and never between types.
pub(super) fn holds(left: &Value, how: Comparison, right: &Value, regex: Option<&Regex>) -> bool {
    if let Value::Array(values) = left {
        return values.iter().any(|value| holds(value, how, right, regex));
    }
    let order = order(left, right);
    match how {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order.is_some_and(Ordering::is_ne),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Comparison::Matches => matches(left, regex) == Some(true),
        Comparison::NotMatches => matches(left, regex) == Some(false),
    }
}

fn matches(value: &Value, regex: Option<&Regex>) -> Option<bool> {
    Some(regex?.is_match(value.as_str()?))
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => Some(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        _ => number(left)?.partial_cmp(&number(right)?),
    }
}

/// The value as a number, if it is one.
#[allow(clippy::cast_precision_loss, reason = "a whole number is compared with a fraction")]
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Double(number) => Some(*number),
        _ => None,
    }
}
