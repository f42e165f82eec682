//! The order of spans in their table.

use clew_model::TraceId;
use datafusion::arrow::array::{Array, AsArray, RecordBatch, UInt32Array};
use datafusion::arrow::datatypes::{Date32Type, Int64Type};
use rustc_hash::FxHashMap;

/// What comes before the trace in the order, and of which there are few: class, day, journey.
type Group<'a> = (&'a str, i32, Option<&'a str>);

/// The order of spans that their table has, with each trace compared as one number; none if a trace id is none.
pub(super) fn span_order(rows: &RecordBatch) -> Option<UInt32Array> {
    let text = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
    let (classes, journeys, traces) = (text("class")?, text("journey_id")?, text("trace_id")?);
    let days = rows.column_by_name("day")?.as_primitive_opt::<Date32Type>()?;
    let starts = rows.column_by_name("start_unix_nano")?.as_primitive_opt::<Int64Type>()?;
    let group = |row: usize| -> Group<'_> {
        (classes.value(row), days.value(row), journeys.is_valid(row).then(|| journeys.value(row)))
    };
    let groups = ranked((0..rows.num_rows()).map(group));
    let mut keys = Vec::with_capacity(rows.num_rows());
    for (row, group) in groups.into_iter().enumerate() {
        let trace: TraceId = traces.value(row).parse().ok()?;
        keys.push((group, u128::from_be_bytes(trace.to_bytes()), starts.value(row), u32::try_from(row).ok()?));
    }
    keys.sort_unstable();
    Some(keys.into_iter().map(|(_, _, _, row)| row).collect::<Vec<_>>().into())
}

/// For each of many values, of which few differ, its rank among them.
fn ranked<'a>(values: impl Iterator<Item = Group<'a>>) -> Vec<u32> {
    let mut numbers: FxHashMap<Group<'a>, u32> = FxHashMap::default();
    let mut found: Vec<u32> = values
        .map(|value| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(value).or_insert(next)
        })
        .collect();
    let mut order: Vec<(Group<'a>, u32)> = numbers.into_iter().collect();
    order.sort_unstable();
    let mut ranks = vec![0; order.len()];
    for (rank, (_, number)) in order.into_iter().enumerate() {
        ranks[number as usize] = u32::try_from(rank).unwrap_or(u32::MAX);
    }
    for number in &mut found {
        *number = ranks[*number as usize];
    }
    found
}
