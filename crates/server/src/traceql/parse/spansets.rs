//! `{ … }` and what stands between two of them.

use super::cursor::Cursor;
use super::expression::expression;
use crate::traceql::ast::{Combine, Expression, Spansets};
use crate::traceql::error::TraceqlError;
use crate::traceql::token::Piece;

/// Sets joined by `&&` and `||`, which bind alike and from the left, as in Tempo.
pub(super) fn spansets(cursor: &mut Cursor<'_>) -> Result<Spansets, TraceqlError> {
    joined(
        cursor,
        |how| matches!(how, Combine::And | Combine::Or),
        |cursor| joined(cursor, |how| matches!(how, Combine::Related(..)), one),
    )
}

fn joined(
    cursor: &mut Cursor<'_>,
    mine: impl Fn(Combine) -> bool,
    operand: impl Fn(&mut Cursor<'_>) -> Result<Spansets, TraceqlError>,
) -> Result<Spansets, TraceqlError> {
    let mut left = operand(cursor)?;
    while let Some(how) = combine(cursor.peek()).filter(|how| mine(*how)) {
        cursor.next();
        cursor.operator()?;
        let right = operand(cursor)?;
        left = Spansets::Combined(Box::new(left), how, Box::new(right));
    }
    Ok(left)
}

fn combine(piece: &Piece) -> Option<Combine> {
    let Piece::Symbol(symbol) = piece else { return None };
    Combine::all().find(|how| how.symbol() == *symbol)
}

fn one(cursor: &mut Cursor<'_>) -> Result<Spansets, TraceqlError> {
    if cursor.take("{") {
        return Ok(Spansets::Filter(filter(cursor)?));
    }
    if !cursor.take("(") {
        return Err(cursor.fault(format!("a set of spans, `{{ … }}`, is expected, not {}", cursor.peek())));
    }
    cursor.enter()?;
    let inner = spansets(cursor)?;
    cursor.leave();
    if matches!(cursor.peek(), Piece::Symbol("|")) {
        return Err(cursor.fault("a pipeline inside brackets is not supported: put it after them"));
    }
    cursor.expect(")", "after the sets of spans")?;
    Ok(inner)
}

/// What follows `{`.
pub(super) fn filter(cursor: &mut Cursor<'_>) -> Result<Option<Expression>, TraceqlError> {
    if cursor.take("}") {
        return Ok(None);
    }
    let inner = expression(cursor)?;
    cursor.expect("}", "at the end of the conditions")?;
    Ok(Some(inner))
}
