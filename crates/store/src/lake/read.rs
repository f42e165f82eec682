//! Requests that somebody asks for, as rows.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use super::table::native_rows;
use crate::Result;
use crate::otlp::{Columns, Unread};

/// Small requests are read together until they have so many rows: a batch of one row takes what fifty do.
pub(super) const TOGETHER: usize = 512;

/// The rows of requests, in their order.
pub(super) fn read(requests: &[Arc<Unread>]) -> Result<Vec<RecordBatch>> {
    let mut batches = Vec::new();
    let mut rest = requests;
    while !rest.is_empty() {
        let mut rows = 0;
        let enough = rest.iter().position(|request| {
            rows += request.spans().len();
            rows >= TOGETHER
        });
        let (these, others) = rest.split_at(enough.map_or(rest.len(), |last| last + 1));
        let mut columns = Columns::for_rows(rows);
        for request in these {
            for span in request.spans() {
                columns.read(request, span)?;
            }
        }
        batches.push(native_rows(columns.finish()?)?);
        rest = others;
    }
    Ok(batches)
}
