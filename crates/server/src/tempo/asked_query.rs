//! What a search asks for: a query, or the older parameters in its place.

use clew_store::Comparison;

use crate::trace::{Asked, Fault};
use crate::traceql::{Expression, FieldName, Intrinsic, Operand, Query, Scope, Spansets, Static, parse};

/// The query, or what the older parameters ask for.
pub(super) fn query_of(asked: &Asked) -> Result<Query, Fault> {
    if let Some(text) = asked.get("q") {
        return Ok(parse(text)?);
    }
    let mut wanted = Vec::new();
    for (key, value) in tags(asked.get("tags").unwrap_or_default())? {
        wanted.push(tag_condition(key, value));
    }
    let duration = Operand::Field(FieldName::Intrinsic(Intrinsic::TraceDuration));
    let bounds = [("minDuration", Comparison::GreaterOrEqual), ("maxDuration", Comparison::LessOrEqual)];
    for (name, how) in bounds {
        if let Some(nanos) = asked.duration(name)? {
            let bound = Operand::Static(Static::Duration(nanos));
            wanted.push(Expression::Compare(duration.clone(), how, bound));
        }
    }
    let all = wanted.into_iter().reduce(|left, right| Expression::And(Box::new(left), Box::new(right)));
    Ok(Query { spansets: Spansets::Filter(all), stages: Vec::new(), hints: Vec::new() })
}

/// `key=value` pairs with spaces between them; a value with spaces stands in quotes.
fn tags(mut text: &str) -> Result<Vec<(&str, &str)>, Fault> {
    let mut tags = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return Ok(tags);
        }
        let Some((key, rest)) = text.split_once('=').filter(|(key, _)| !key.contains(char::is_whitespace)) else {
            let text: String = text.chars().take(60).collect();
            return Err(Fault::bad_request(format!("parameter tags: {text:?} is not key=value")));
        };
        let quoted = rest.strip_prefix('"').and_then(|inner| inner.split_once('"'));
        let (value, rest) = quoted.unwrap_or_else(|| rest.split_once(char::is_whitespace).unwrap_or((rest, "")));
        tags.push((key, value));
        text = rest;
    }
}

fn tag_condition(key: &str, value: &str) -> Expression {
    let intrinsic = |intrinsic| Operand::Field(FieldName::Intrinsic(intrinsic));
    let text = Static::Text(value.into());
    let (field, value) = match (key, value) {
        ("error", "true") => (intrinsic(Intrinsic::Status), Static::Text("error".into())),
        ("status" | "status.code", _) => (intrinsic(Intrinsic::Status), text),
        ("name", _) => (intrinsic(Intrinsic::Name), text),
        ("root.name", _) => (intrinsic(Intrinsic::RootName), text),
        ("root.service.name", _) => (intrinsic(Intrinsic::RootServiceName), text),
        _ => (Operand::Field(FieldName::Attribute(Scope::Any, key.into())), text),
    };
    let is = |value: Static| Expression::Compare(field.clone(), Comparison::Equal, Operand::Static(value));
    // Tags have no types: a number may be meant as one.
    let number = match &value {
        Static::Text(text) => text.parse::<i64>().ok(),
        _ => None,
    };
    match number {
        Some(number) => Expression::Or(Box::new(is(value)), Box::new(is(Static::Int(number)))),
        None => is(value),
    }
}
