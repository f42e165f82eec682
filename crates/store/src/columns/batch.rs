//! A batch of spans, and spans out of it again.

use arrow_array::RecordBatch;
use clew_model::Span;

use super::read::Rows;
use super::schema::schema;
use crate::{Result, StoreError};

/// Spans as columns of [`schema`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct SpanBatch(RecordBatch);

impl SpanBatch {
    /// Takes a batch that has exactly the columns of [`schema`]; what a table gave must be cast to them before.
    pub fn try_new(batch: RecordBatch) -> Result<Self> {
        let (expected, found) = (schema(), batch.schema());
        let same = expected.fields().len() == found.fields().len();
        let different = expected
            .fields()
            .iter()
            .zip(found.fields())
            .find(|(one, other)| one.name() != other.name() || one.data_type() != other.data_type());
        let reason = match different {
            None if same => return Ok(Self(batch)),
            None => format!("{} columns where {} were expected", found.fields().len(), expected.fields().len()),
            Some((one, other)) => {
                format!("column {} is {} {}", one.name(), other.name(), other.data_type())
            }
        };
        Err(StoreError::Damaged { file: "a batch of spans".into(), reason })
    }

    /// How many spans there are.
    pub fn len(&self) -> usize {
        self.0.num_rows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns.
    pub fn record_batch(&self) -> &RecordBatch {
        &self.0
    }

    /// The columns.
    pub fn into_record_batch(self) -> RecordBatch {
        self.0
    }

    /// So many rows from one on, without copying.
    pub fn slice(&self, from: usize, length: usize) -> Self {
        let from = from.min(self.len());
        Self(self.0.slice(from, length.min(self.len() - from)))
    }

    /// One span; none past the end.
    pub fn span(&self, row: usize) -> Result<Option<Span>> {
        if row >= self.len() {
            return Ok(None);
        }
        Rows::new(&self.0)?.span(row).map(Some)
    }

    /// The spans of some rows, in their order; rows past the end are left out.
    pub fn spans_at(&self, rows: impl IntoIterator<Item = usize>) -> Result<Vec<Span>> {
        let mut reader = Rows::new(&self.0)?;
        rows.into_iter().filter(|row| *row < self.len()).map(|row| reader.span(row)).collect()
    }

    /// All spans.
    pub fn spans(&self) -> Result<Vec<Span>> {
        self.spans_at(0..self.len())
    }
}

impl TryFrom<RecordBatch> for SpanBatch {
    type Error = StoreError;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        Self::try_new(batch)
    }
}
