//! Rows and other parts as bytes, for files that are replaced as a whole.

use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::fault::{broken, damaged};
use crate::{Result, StoreError};

/// Rows of one table as a Parquet file; nothing for no rows.
pub(super) fn rows_to_bytes(batches: &[RecordBatch]) -> Result<Vec<u8>> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let all = concat_batches(&first.schema(), batches).map_err(|error| broken(&error))?;
    let write = || {
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), all.schema(), Some(properties))?;
        writer.write(&all)?;
        writer.into_inner()
    };
    write().map_err(|error| StoreError::Io { doing: "make", what: "rows".to_owned(), reason: error.to_string() })
}

/// What [`rows_to_bytes`] wrote.
pub(super) fn rows_from_bytes(bytes: Bytes) -> Result<Vec<RecordBatch>> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = |error: String| damaged("kept rows", error);
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(|error| wrong(error.to_string()))?;
    let reader = reader.with_batch_size(1 << 16).build().map_err(|error| wrong(error.to_string()))?;
    reader.map(|rows| rows.map_err(|error| wrong(error.to_string()))).collect()
}

/// Parts one after another, each with its length before it.
#[derive(Default)]
pub(super) struct PartsWriter(Vec<u8>);

impl PartsWriter {
    pub(super) fn push(&mut self, part: &[u8]) {
        self.0.extend_from_slice(&(part.len() as u64).to_le_bytes());
        self.0.extend_from_slice(part);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// The parts that a [`PartsWriter`] wrote.
pub(super) fn parts(bytes: &Bytes) -> Result<Vec<Bytes>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let head = bytes.get(at..at + 8).and_then(|head| head.try_into().ok()).map(u64::from_le_bytes);
        let end = head.and_then(|length| (at + 8).checked_add(usize::try_from(length).ok()?));
        let end = end.filter(|end| *end <= bytes.len()).ok_or_else(|| damaged("kept parts", "a part is cut"))?;
        parts.push(bytes.slice(at + 8..end));
        at = end;
    }
    Ok(parts)
}
