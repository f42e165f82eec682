//! Spans as rows of their table, and back.

use std::sync::Arc;

use clew_model::{Span, TraceId};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, FixedSizeBinaryArray, RecordBatch, StringArray, StringBuilder,
    new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use rustc_hash::FxHashMap;

use super::hex;
use super::{Table, day_of};
use crate::Result;
use crate::columns::{SpanBatch, SpanBatchBuilder};
use crate::lake::fault::broken;

const START: &str = "start_unix_nano";

/// Native spans as rows that belong to no journey yet. Resources stay a dictionary: in memory they would weigh the most.
pub(in crate::lake) fn native_rows(batch: SpanBatch) -> Result<RecordBatch> {
    let batch = batch.into_record_batch();
    let rows = batch.num_rows();
    rows_of(&batch, "background", new_null_array(&DataType::Utf8, rows)).map_err(|error| broken(&error))
}

/// Native spans as rows that belong to journeys: one for each.
pub(in crate::lake) fn segment_rows(batch: SpanBatch, journeys: &[TraceId]) -> Result<RecordBatch> {
    let batch = batch.into_record_batch();
    let ids = StringArray::from_iter_values(journeys.iter().map(ToString::to_string));
    rows_of(&batch, "segment", Arc::new(ids)).map_err(|error| broken(&error))
}

/// The spans that clew made of one journey.
pub(in crate::lake) fn woven_rows(journey: TraceId, spans: &[Span]) -> Result<RecordBatch> {
    let mut builder = SpanBatchBuilder::for_rows(spans.len());
    for span in spans {
        builder.push(span)?;
    }
    let batch = builder.finish()?.into_record_batch();
    let id = journey.to_string();
    let ids = StringArray::from_iter_values(std::iter::repeat_n(id.as_str(), batch.num_rows()));
    rows_of(&batch, "journey", Arc::new(ids)).map_err(|error| broken(&error))
}

fn rows_of(batch: &RecordBatch, class: &str, journeys: ArrayRef) -> std::result::Result<RecordBatch, ArrowError> {
    let starts = batch.column_by_name(START).map(AsArray::as_primitive::<Int64Type>);
    let days: Date32Array = starts.into_iter().flatten().map(|start| start.map(day_of)).collect();
    let classes = StringArray::from_iter_values(std::iter::repeat_n(class, batch.num_rows()));
    let mut arrays: Vec<ArrayRef> = vec![Arc::new(classes), Arc::new(days), journeys];
    for column in batch.columns() {
        match column.as_any().downcast_ref::<FixedSizeBinaryArray>() {
            Some(ids) => arrays.push(hex::encode(ids)),
            None => arrays.push(Arc::clone(column)),
        }
    }
    RecordBatch::try_new(with_types_of(&arrays), arrays)
}

/// The table's columns, with the types that the arrays have: a resource may be a dictionary.
fn with_types_of(arrays: &[ArrayRef]) -> SchemaRef {
    let fields = Table::Spans.schema();
    let fields = fields.fields().iter().zip(arrays);
    let fields = fields.map(|(field, array)| Field::new(field.name(), array.data_type().clone(), field.is_nullable()));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Native rows with the journeys that their traces belong to; none if nothing changes.
pub(in crate::lake) fn stamp(
    rows: &RecordBatch,
    journeys: &FxHashMap<TraceId, TraceId>,
) -> Result<Option<RecordBatch>> {
    let column = |name: &str| rows.column_by_name(name).map(AsArray::as_string::<i32>);
    let (Some(traces), Some(old)) = (column("trace_id"), column("journey_id")) else { return Ok(None) };
    let (mut last, mut found) = ("", None);
    let found: Vec<Option<TraceId>> = (0..rows.num_rows())
        .map(|row| {
            let trace = traces.value(row);
            if trace != last {
                last = trace;
                found = trace.parse().ok().and_then(|trace: TraceId| journeys.get(&trace)).copied();
            }
            found
        })
        .collect();
    if found.iter().all(Option::is_none) {
        return Ok(None);
    }
    let text = || StringBuilder::with_capacity(rows.num_rows(), 0);
    let (mut ids, mut classes) = (text(), text());
    for (row, found) in found.into_iter().enumerate() {
        let found = found.map(|journey| journey.to_string());
        let journey = found.as_deref().or_else(|| old.is_valid(row).then(|| old.value(row)));
        ids.append_option(journey);
        classes.append_value(if journey.is_some() { "segment" } else { "background" });
    }
    let mut arrays = rows.columns().to_vec();
    arrays[0] = Arc::new(classes.finish());
    arrays[2] = Arc::new(ids.finish());
    RecordBatch::try_new(rows.schema(), arrays).map(Some).map_err(|error| broken(&error))
}
