//! Conditions on one span.

use clew_store::Comparison;

use super::cursor::Cursor;
use crate::traceql::ast::{Expression, FieldName, Operand, Static};
use crate::traceql::error::TraceqlError;
use crate::traceql::regexes;
use crate::traceql::token::Piece;
use crate::traceql::words;

/// Conditions joined by `&&` and `||`, which bind alike and from the left, as in Tempo.
pub(super) fn expression(cursor: &mut Cursor<'_>) -> Result<Expression, TraceqlError> {
    cursor.enter()?;
    let mut left = compared(cursor)?;
    loop {
        let join = match cursor.peek() {
            Piece::Symbol("&&") => Expression::And,
            Piece::Symbol("||") => Expression::Or,
            _ => break,
        };
        cursor.next();
        cursor.operator()?;
        let right = compared(cursor)?;
        left = join(Box::new(left), Box::new(right));
    }
    cursor.leave();
    Ok(left)
}

fn compared(cursor: &mut Cursor<'_>) -> Result<Expression, TraceqlError> {
    let left = negated(cursor)?;
    let Some(how) = comparison(cursor.peek()) else {
        refuse_arithmetic(cursor)?;
        return Ok(left);
    };
    let Expression::Is(left) = left else {
        return Err(cursor.fault(format!("{} compares values, not conditions", cursor.peek())));
    };
    cursor.next();
    cursor.operator()?;
    let right = operand(cursor)?;
    check_regex(cursor, how, &right)?;
    refuse_arithmetic(cursor)?;
    if comparison(cursor.peek()).is_some() {
        return Err(cursor.fault("a comparison of a comparison: join them with `&&`"));
    }
    Ok(Expression::Compare(left, how, right))
}

fn negated(cursor: &mut Cursor<'_>) -> Result<Expression, TraceqlError> {
    if cursor.take("!") {
        cursor.operator()?;
        return Ok(Expression::Not(Box::new(negated(cursor)?)));
    }
    if !cursor.take("(") {
        return operand(cursor).map(Expression::Is);
    }
    let inner = expression(cursor)?;
    cursor.expect(")", "to close the bracket")?;
    Ok(inner)
}

fn operand(cursor: &mut Cursor<'_>) -> Result<Operand, TraceqlError> {
    match cursor.peek() {
        Piece::Symbol("-") | Piece::Value(_) => value(cursor).map(Operand::Static),
        Piece::Word(word) if words::constant(word).is_some() => value(cursor).map(Operand::Static),
        Piece::Word(_) | Piece::Attribute(..) => field(cursor).map(Operand::Field),
        other => Err(cursor.fault(format!("a field or a value is expected, not {other}"))),
    }
}

/// A field of a span.
pub(super) fn field(cursor: &mut Cursor<'_>) -> Result<FieldName, TraceqlError> {
    match cursor.next() {
        Piece::Attribute(scope, key) => Ok(FieldName::Attribute(scope, key)),
        Piece::Word(word) => words::intrinsic(&word).map(FieldName::Intrinsic).ok_or_else(|| {
            cursor.fault_before(format!("`{word}` is not supported: write `.{word}` for an attribute of that name"))
        }),
        other => Err(cursor.fault_before(format!("a field is expected, not {other}"))),
    }
}

/// A value: a text, a number that may be negative, or a word such as `error`.
pub(super) fn value(cursor: &mut Cursor<'_>) -> Result<Static, TraceqlError> {
    let negative = cursor.take("-");
    let value = match cursor.next() {
        Piece::Value(value) => value,
        Piece::Word(word) => match words::constant(&word) {
            Some(value) => value,
            None => return Err(cursor.fault_before(format!("a value is expected, not `{word}`"))),
        },
        other => return Err(cursor.fault_before(format!("a value is expected, not {other}"))),
    };
    match (negative, value) {
        (false, value) => Ok(value),
        (true, Static::Int(number)) => Ok(Static::Int(-number)),
        (true, Static::Duration(nanos)) => Ok(Static::Duration(-nanos)),
        (true, Static::Float(number)) => Ok(Static::Float(-number)),
        (true, _) => Err(cursor.fault_before("only a number can be negative")),
    }
}

/// The comparison that the piece stands for.
pub(super) fn comparison(piece: &Piece) -> Option<Comparison> {
    let Piece::Symbol(symbol) = piece else { return None };
    words::comparison(symbol)
}

fn refuse_arithmetic(cursor: &Cursor<'_>) -> Result<(), TraceqlError> {
    match cursor.peek() {
        Piece::Symbol(sign @ ("+" | "-" | "*" | "/" | "%")) => {
            Err(cursor.fault(format!("arithmetic with `{sign}` is not supported: compare with a value")))
        }
        _ => Ok(()),
    }
}

fn check_regex(cursor: &Cursor<'_>, how: Comparison, right: &Operand) -> Result<(), TraceqlError> {
    if !matches!(how, Comparison::Matches | Comparison::NotMatches) {
        return Ok(());
    }
    let Operand::Static(Static::Text(pattern)) = right else {
        return Err(cursor.fault_before("a regular expression is expected: a text in quotes"));
    };
    regexes::whole(pattern).map(drop).map_err(|reason| cursor.fault_before(reason))
}
