//! One value against one operand.

use std::cmp::Ordering;

use clew_store::{Comparison, Operand};

use super::filter::Node;
use super::value::Found;

/// Whether a value that was found satisfies the leaf that asked for it.
pub(super) fn satisfies(leaf: &Node, found: &Found<'_>) -> bool {
    match leaf {
        Node::Exists(_) => true,
        Node::Matches(_, regex, wanted) => found.text().is_some_and(|text| regex.is_match(&text) == *wanted),
        Node::Compare(_, comparison, operand) => compares(found, *comparison, operand),
        Node::All | Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Text(_) | Node::Readable(_) => false,
    }
}

fn compares(found: &Found<'_>, comparison: Comparison, operand: &Operand) -> bool {
    let order = order(found, operand);
    match comparison {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Comparison::Matches | Comparison::NotMatches => false,
    }
}

/// None where the types have no order between them.
fn order(found: &Found<'_>, operand: &Operand) -> Option<Ordering> {
    match (found, operand) {
        (Found::Text(text), Operand::Text(other)) => Some(text.as_ref().cmp(other.as_str())),
        (Found::Int(number), Operand::Int(other)) => Some(number.cmp(other)),
        (Found::Bool(value), Operand::Bool(other)) => Some(value.cmp(other)),
        (Found::Int(_) | Found::Float(_), Operand::Int(_) | Operand::Float(_)) => {
            float(found)?.partial_cmp(&operand_float(operand)?)
        }
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a whole number compared with a fraction")]
fn float(found: &Found<'_>) -> Option<f64> {
    match found {
        Found::Int(number) => Some(*number as f64),
        Found::Float(number) => Some(*number),
        Found::Text(_) | Found::Bool(_) => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a whole number compared with a fraction")]
fn operand_float(operand: &Operand) -> Option<f64> {
    match operand {
        Operand::Int(number) => Some(*number as f64),
        Operand::Float(number) => Some(*number),
        Operand::Text(_) | Operand::Bool(_) => None,
    }
}
