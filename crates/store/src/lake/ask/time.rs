//! Time ranges as conditions.

use datafusion::logical_expr::Expr;
use datafusion::prelude::{DataFrame, col, lit};

use super::super::fault::query;
use crate::{Result, TimeRange};

/// Rows that began in a time.
pub(super) fn within(frame: DataFrame, range: TimeRange) -> Result<DataFrame> {
    let start = || col("start_unix_nano");
    let from = range.from.map(|from| start().gt_eq(lit(from.as_nanos())));
    let to = range.to.map(|to| start().lt(lit(to.as_nanos())));
    from.into_iter().chain(to).try_fold(frame, |frame, condition: Expr| keep(frame, condition))
}

/// Rows for which a condition holds.
pub(super) fn keep(frame: DataFrame, condition: Expr) -> Result<DataFrame> {
    frame.filter(condition).map_err(|error| query(&error))
}
