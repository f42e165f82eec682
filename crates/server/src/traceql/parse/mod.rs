//! Pieces into a tree, by recursive descent.

mod cursor;
mod expression;
mod spansets;
mod stage;

use cursor::Cursor;

use super::ast::Query;
use super::error::TraceqlError;
use super::lexer::tokens;
use super::token::Piece;

/// Reads a query.
///
/// ```
/// let query = clew_server::traceql::parse("{ resource.service.name = \"kubelet\" && duration > 1s }")?;
/// assert_eq!(query.to_string(), "{ (resource.service.name = \"kubelet\") && (duration > 1000000000ns) }");
/// # Ok::<(), clew_server::traceql::TraceqlError>(())
/// ```
pub fn parse(text: &str) -> Result<Query, TraceqlError> {
    let mut cursor = Cursor::new(text, tokens(text)?);
    let spansets = spansets::spansets(&mut cursor)?;
    let mut stages = Vec::new();
    while cursor.take("|") {
        stages.push(stage::stage(&mut cursor)?);
    }
    let hints = stage::hints(&mut cursor)?;
    match cursor.peek() {
        Piece::End => Ok(Query { spansets, stages, hints }),
        other => Err(cursor.fault(format!("{other} is not expected here: the query could end, or go on with `|`"))),
    }
}
