//! What Jaeger's tools search by, as a store's filter.

use clew_store::{AttributeScope, Column, Comparison, Field, Filter, Operand, TimeRange};

/// Traces of an answer, if the caller does not say, and at most.
pub(super) const LIMIT: (usize, usize) = (100, 1_500);

/// What is searched for: traces with a span for which all of this holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TraceQuery {
    /// The service that made the span.
    pub(super) service: Option<String>,
    /// The span's name.
    pub(super) operation: Option<String>,
    /// Attributes of the span or its resource, as text whatever their type.
    pub(super) attributes: Vec<(String, String)>,
    /// The least duration in nanoseconds.
    pub(super) min: Option<i64>,
    /// The greatest duration in nanoseconds.
    pub(super) max: Option<i64>,
    /// When the span began.
    pub(super) range: TimeRange,
    /// How many traces are enough.
    pub(super) limit: usize,
}

impl TraceQuery {
    /// The filter on spans.
    pub(super) fn filter(&self) -> Filter {
        let mut all = Vec::new();
        all.extend(self.service.as_deref().map(|service| is(Column::Service, service)));
        all.extend(self.operation.as_deref().map(|operation| is(Column::SpanName, operation)));
        let duration = |how, nanos| Filter::Compare(Column::Duration.into(), how, Operand::Int(nanos));
        all.extend(self.min.map(|nanos| duration(Comparison::GreaterOrEqual, nanos)));
        all.extend(self.max.map(|nanos| duration(Comparison::LessOrEqual, nanos)));
        all.extend(self.attributes.iter().map(|(key, value)| attribute(key, value)));
        match all.len() {
            0 => Filter::All,
            1 => all.remove(0),
            _ => Filter::And(all),
        }
    }
}

fn is(column: Column, text: &str) -> Filter {
    Filter::Compare(column.into(), Comparison::Equal, Operand::Text(text.into()))
}

/// What Jaeger keeps as tags is partly no attribute in OTLP.
fn attribute(key: &str, value: &str) -> Filter {
    match (key, value) {
        ("error", "true") => is(Column::Status, "error"),
        ("error", "false") => Filter::Not(Box::new(is(Column::Status, "error"))),
        ("span.kind", _) => is(Column::SpanKind, value),
        ("otel.status_code", _) => is(Column::Status, &value.to_lowercase()),
        ("otel.status_description", _) => is(Column::StatusMessage, value),
        ("service.name", _) => is(Column::Service, value),
        _ => any_type(key, value),
    }
}

/// An attribute that reads as the text, whatever its type.
fn any_type(key: &str, value: &str) -> Filter {
    let field = || Field::Attribute(AttributeScope::Any, key.into());
    let equal = |operand| Filter::Compare(field(), Comparison::Equal, operand);
    let mut either = vec![equal(Operand::Text(value.into()))];
    if let Ok(number) = value.parse() {
        either.push(equal(Operand::Int(number)));
    } else if let Some(number) = value.parse::<f64>().ok().filter(|number| number.is_finite()) {
        either.push(equal(Operand::Float(number)));
    }
    if let Ok(yes) = value.parse() {
        either.push(equal(Operand::Bool(yes)));
    }
    if either.len() == 1 { either.remove(0) } else { Filter::Or(either) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_no_types_and_some_are_columns() {
        let query = |key: &str, value: &str| TraceQuery {
            attributes: vec![(key.into(), value.into())],
            ..TraceQuery::default()
        };
        assert_eq!(query("error", "true").filter(), is(Column::Status, "error"));
        assert_eq!(query("span.kind", "server").filter(), is(Column::SpanKind, "server"));
        let Filter::Or(either) = query("http.status_code", "200").filter() else { panic!("one of several types") };
        assert_eq!(either.len(), 2);
        assert!(matches!(query("http.method", "GET").filter(), Filter::Compare(Field::Attribute(..), ..)));
        assert_eq!(TraceQuery::default().filter(), Filter::All);
    }
}
