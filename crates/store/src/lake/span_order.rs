//! The order of spans in their table.

use std::hash::Hash;

use clew_model::TraceId;
use datafusion::arrow::array::{Array, AsArray, Date32Array, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{Date32Type, Int64Type};
use rustc_hash::FxHashMap;

/// What comes before the trace in the order, and of which there are few: class, day, journey.
type Group<'a> = (&'a str, i32, Option<&'a str>);

/// The order of spans that their table has, as batch and row, with each trace compared as one number; none if an id is none.
pub(super) fn span_order(batches: &[&RecordBatch]) -> Option<Vec<(usize, usize)>> {
    let columns: Vec<Columns<'_>> = batches.iter().map(|batch| Columns::of(batch)).collect::<Option<_>>()?;
    let all = || columns.iter().enumerate().flat_map(|(part, of)| (0..of.traces.len()).map(move |row| (part, row, of)));
    let (groups, _) = ranked(all().map(|(_, row, of)| of.group(row)));
    let mut keys = Vec::with_capacity(groups.len());
    for ((part, row, of), group) in all().zip(groups) {
        let trace: TraceId = of.traces.value(row).parse().ok()?;
        keys.push((group, u128::from_be_bytes(trace.to_bytes()), of.starts.value(row), part, row));
    }
    keys.sort_unstable();
    Some(keys.into_iter().map(|(_, _, _, part, row)| (part, row)).collect())
}

/// The columns that the order looks at.
struct Columns<'a> {
    classes: &'a StringArray,
    days: &'a Date32Array,
    journeys: &'a StringArray,
    traces: &'a StringArray,
    starts: &'a Int64Array,
}

impl<'a> Columns<'a> {
    fn of(batch: &'a RecordBatch) -> Option<Self> {
        let text = |name: &str| batch.column_by_name(name)?.as_string_opt::<i32>();
        Some(Self {
            classes: text("class")?,
            days: batch.column_by_name("day")?.as_primitive_opt::<Date32Type>()?,
            journeys: text("journey_id")?,
            traces: text("trace_id")?,
            starts: batch.column_by_name("start_unix_nano")?.as_primitive_opt::<Int64Type>()?,
        })
    }

    fn group(&self, row: usize) -> Group<'a> {
        let journey = self.journeys.is_valid(row).then(|| self.journeys.value(row));
        (self.classes.value(row), self.days.value(row), journey)
    }
}

/// For each of many values, of which few differ, its rank among them; and those that differ, in their order.
pub(super) fn ranked<T: Copy + Ord + Hash>(values: impl Iterator<Item = T>) -> (Vec<u32>, Vec<T>) {
    let mut numbers: FxHashMap<T, u32> = FxHashMap::default();
    let mut found: Vec<u32> = values
        .map(|value| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(value).or_insert(next)
        })
        .collect();
    let mut order: Vec<(T, u32)> = numbers.into_iter().collect();
    order.sort_unstable();
    let mut ranks = vec![0; order.len()];
    let mut different = Vec::with_capacity(order.len());
    for ((value, number), rank) in order.into_iter().zip(0_u32..) {
        ranks[number as usize] = rank;
        different.push(value);
    }
    for number in &mut found {
        *number = ranks[*number as usize];
    }
    (found, different)
}
