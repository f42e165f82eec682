//! Which spans of a trace are meant.

use std::borrow::Cow;
use std::collections::HashMap;

use clew_model::Value;
use clew_store::Comparison;
use compact_str::CompactString;
use regex::Regex;

use super::ast::{Combine, Expression, Operand, Spansets, Static};
use super::regexes::whole;
use super::relation::related;
use super::tree::TraceView;
use super::value::{holds, resolve};

/// The regular expressions of a query, each compiled once.
pub(super) type Regexes = HashMap<CompactString, Regex>;

/// For each span of the trace, whether it is meant.
pub(super) fn spansets(expression: &Spansets, view: &TraceView<'_>, regexes: &Regexes) -> Vec<bool> {
    let (left, how, right) = match expression {
        Spansets::Filter(filter) => {
            return (0..view.spans.len()).map(|place| is_meant(filter.as_ref(), view, place, regexes)).collect();
        }
        Spansets::Combined(left, how, right) => (left, how, right),
    };
    let (left, right) = (spansets(left, view, regexes), spansets(right, view, regexes));
    let union = |left: &[bool], right: &[bool]| left.iter().zip(right).map(|(left, right)| *left || *right).collect();
    match how {
        Combine::Or => union(&left, &right),
        Combine::And if left.contains(&true) && right.contains(&true) => union(&left, &right),
        Combine::And => vec![false; view.spans.len()],
        Combine::Related(relation, mode) => related(view, &left, *relation, *mode, &right),
    }
}

/// Whether a filter, where there is one, holds for the span at that place.
pub(super) fn is_meant(filter: Option<&Expression>, view: &TraceView<'_>, place: usize, regexes: &Regexes) -> bool {
    filter.is_none_or(|filter| expression(filter, view, place, regexes))
}

fn expression(condition: &Expression, view: &TraceView<'_>, place: usize, regexes: &Regexes) -> bool {
    match condition {
        Expression::And(left, right) => {
            expression(left, view, place, regexes) && expression(right, view, place, regexes)
        }
        Expression::Or(left, right) => {
            expression(left, view, place, regexes) || expression(right, view, place, regexes)
        }
        Expression::Not(inner) => !expression(inner, view, place, regexes),
        Expression::Is(operand) => value_of(operand, view, place).as_deref() == Some(&Value::Bool(true)),
        Expression::Compare(left, how, right) => {
            let (a, b) = (value_of(left, view, place), value_of(right, view, place));
            compare(a.as_deref(), *how, b.as_deref(), is_nil(left) || is_nil(right), regex_of(right, regexes))
        }
    }
}

fn compare(
    left: Option<&Value>,
    how: Comparison,
    right: Option<&Value>,
    with_nil: bool,
    regex: Option<&Regex>,
) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => holds(left, how, right, regex),
        (None, None) => with_nil && how == Comparison::Equal,
        _ => with_nil && how == Comparison::NotEqual,
    }
}

fn value_of<'a>(operand: &Operand, view: &TraceView<'a>, place: usize) -> Option<Cow<'a, Value>> {
    match operand {
        Operand::Field(field) => resolve(view, place, field),
        Operand::Static(value) => value.value().map(Cow::Owned),
    }
}

fn is_nil(operand: &Operand) -> bool {
    *operand == Operand::Static(Static::Nil)
}

fn regex_of<'r>(operand: &Operand, regexes: &'r Regexes) -> Option<&'r Regex> {
    match operand {
        Operand::Static(Static::Text(pattern)) => regexes.get(pattern),
        _ => None,
    }
}

/// Whether a comparison of two values that were both written holds.
pub(super) fn constant_holds(left: &Static, how: Comparison, right: &Static) -> bool {
    let with_nil = *left == Static::Nil || *right == Static::Nil;
    let mut regexes = Regexes::new();
    if let Static::Text(pattern) = right {
        collect_pattern(pattern, how, &mut regexes);
    }
    let regex = regex_of(&Operand::Static(right.clone()), &regexes);
    compare(left.value().as_ref(), how, right.value().as_ref(), with_nil, regex)
}

/// Compiles the regular expressions of a condition.
pub(super) fn collect(condition: &Expression, regexes: &mut Regexes) {
    match condition {
        Expression::And(left, right) | Expression::Or(left, right) => {
            collect(left, regexes);
            collect(right, regexes);
        }
        Expression::Not(inner) => collect(inner, regexes),
        Expression::Is(_) => {}
        Expression::Compare(_, how, right) => {
            if let Operand::Static(Static::Text(pattern)) = right {
                collect_pattern(pattern, *how, regexes);
            }
        }
    }
}

fn collect_pattern(pattern: &CompactString, how: Comparison, regexes: &mut Regexes) {
    if !matches!(how, Comparison::Matches | Comparison::NotMatches) || regexes.contains_key(pattern) {
        return;
    }
    // The parser has refused what does not compile.
    if let Ok(regex) = whole(pattern) {
        regexes.insert(pattern.clone(), regex);
    }
}
