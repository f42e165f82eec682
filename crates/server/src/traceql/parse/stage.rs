//! What follows `|`, and the hints at the end.

use compact_str::CompactString;

use super::cursor::Cursor;
use super::expression::{comparison, field, value};
use super::spansets::filter;
use crate::traceql::ast::{Aggregate, FieldName, Metrics, MetricsFunction, Stage, Static};
use crate::traceql::error::TraceqlError;
use crate::traceql::token::Piece;
use crate::traceql::words;

/// How many stages, fields, quantiles or hints one list may have.
const MAX_ITEMS: usize = 64;

/// One stage of a pipeline.
pub(super) fn stage(cursor: &mut Cursor<'_>) -> Result<Stage, TraceqlError> {
    cursor.operator()?;
    if cursor.take("{") {
        return filter(cursor).map(Stage::Filter);
    }
    let word = match cursor.next() {
        Piece::Word(word) => word,
        other => return Err(cursor.fault_before(format!("a function is expected after `|`, not {other}"))),
    };
    if let Some(function) = words::metrics(&word) {
        return metrics(cursor, function).map(Stage::Metrics);
    }
    if let Some(function) = words::aggregate(&word) {
        return aggregate(cursor, function);
    }
    match word.as_str() {
        "select" => fields(cursor).map(Stage::Select),
        "by" => fields(cursor).map(Stage::By),
        _ => Err(cursor.fault_before(format!("`| {word}` is not supported"))),
    }
}

fn aggregate(cursor: &mut Cursor<'_>, function: Aggregate) -> Result<Stage, TraceqlError> {
    cursor.expect("(", "after the function")?;
    let of = if function == Aggregate::Count { None } else { Some(field(cursor)?) };
    cursor.expect(")", "to close the function")?;
    let Some(how) = comparison(cursor.peek()) else {
        return Err(cursor.fault(format!("`{}()` is compared with a number: `> 2`", function.name())));
    };
    cursor.next();
    let number = value(cursor)?;
    if !matches!(number, Static::Int(_) | Static::Float(_) | Static::Duration(_)) {
        return Err(cursor.fault_before(format!("`{}()` is compared with a number or a duration", function.name())));
    }
    Ok(Stage::Aggregate(function, of, how, number))
}

fn metrics(cursor: &mut Cursor<'_>, function: MetricsFunction) -> Result<Metrics, TraceqlError> {
    use MetricsFunction::{CountOverTime, QuantileOverTime, Rate};
    cursor.expect("(", "after the function")?;
    let of = if matches!(function, Rate | CountOverTime) { None } else { Some(field(cursor)?) };
    let mut quantiles = Vec::new();
    while function == QuantileOverTime && cursor.take(",") {
        quantiles.push(quantile(cursor)?);
    }
    if function == QuantileOverTime && (quantiles.is_empty() || quantiles.len() > MAX_ITEMS) {
        return Err(cursor.fault(format!("from 1 to {MAX_ITEMS} quantiles are expected: `.9, .99`")));
    }
    cursor.expect(")", "to close the function")?;
    let by = if cursor.take_word("by") { fields(cursor)? } else { Vec::new() };
    Ok(Metrics { function, of, quantiles, by })
}

#[allow(clippy::cast_precision_loss, reason = "a quantile is 0, 1 or a float")]
fn quantile(cursor: &mut Cursor<'_>) -> Result<f64, TraceqlError> {
    let quantile = match value(cursor)? {
        Static::Float(number) => number,
        Static::Int(number) => number as f64,
        _ => return Err(cursor.fault_before("a quantile is a number from 0 to 1")),
    };
    // Sorts out -0.0, too, which would be printed and not read again.
    if !(0.0..=1.0).contains(&quantile) || quantile.is_sign_negative() {
        return Err(cursor.fault_before("a quantile is a number from 0 to 1"));
    }
    Ok(quantile)
}

fn fields(cursor: &mut Cursor<'_>) -> Result<Vec<FieldName>, TraceqlError> {
    cursor.expect("(", "before the fields")?;
    let mut fields = vec![field(cursor)?];
    while cursor.take(",") {
        if fields.len() >= MAX_ITEMS {
            return Err(cursor.fault(format!("at most {MAX_ITEMS} fields can be named")));
        }
        fields.push(field(cursor)?);
    }
    cursor.expect(")", "after the fields")?;
    Ok(fields)
}

/// `with(sample=true)` and its like.
pub(super) fn hints(cursor: &mut Cursor<'_>) -> Result<Vec<(CompactString, Static)>, TraceqlError> {
    if !cursor.take_word("with") {
        return Ok(Vec::new());
    }
    cursor.expect("(", "before the hints")?;
    let mut hints = Vec::new();
    loop {
        let name = match cursor.next() {
            Piece::Word(name) => name,
            other => return Err(cursor.fault_before(format!("the name of a hint is expected, not {other}"))),
        };
        cursor.expect("=", "after the name of the hint")?;
        hints.push((name, value(cursor)?));
        if hints.len() > MAX_ITEMS {
            return Err(cursor.fault(format!("at most {MAX_ITEMS} hints can be given")));
        }
        if !cursor.take(",") {
            break;
        }
    }
    cursor.expect(")", "after the hints")?;
    Ok(hints)
}
