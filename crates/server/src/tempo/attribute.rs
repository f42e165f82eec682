//! Fields of spans as attributes in an answer.

use clew_model::Value;
use serde_json::{Value as Json, json};

use crate::trace::any_json;
use crate::traceql::{FieldName, Intrinsic, TraceView, resolve};

/// What a caller asked to be told of a span, where it has it.
pub(super) fn told(view: &TraceView<'_>, place: usize, fields: &[FieldName]) -> Vec<Json> {
    let wanted = fields.iter().filter(|field| !is_told_anyway(field));
    wanted.filter_map(|field| Some(attribute(key(field), &*resolve(view, place, field)?))).collect()
}

/// An attribute of an answer.
pub(super) fn attribute(key: &str, value: &Value) -> Json {
    json!({"key": key, "value": any_json(value)})
}

/// What a field is called in an answer: without its scope, as in Tempo.
fn key(field: &FieldName) -> &str {
    match field {
        FieldName::Intrinsic(intrinsic) => intrinsic.name(),
        FieldName::Attribute(_, key) => key,
    }
}

/// Whether every answer has it in a place of its own.
fn is_told_anyway(field: &FieldName) -> bool {
    use Intrinsic::{Duration, Name, RootName, RootServiceName, SpanId, TraceDuration, TraceId};
    matches!(
        field,
        FieldName::Intrinsic(Duration | Name | RootName | RootServiceName | SpanId | TraceDuration | TraceId)
    )
}
