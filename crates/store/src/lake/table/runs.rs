//! Runs as rows of their table, and back.

use std::sync::Arc;

use clew_model::{Status, StatusCode, Time};
use datafusion::arrow::array::{Array, AsArray, Date32Array, Int64Builder, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::Int64Type;

use super::{Table, attributes_from_text, attributes_to_text, day_of};
use crate::columns::status_word;
use crate::lake::fault::{broken, damaged};
use crate::{Result, Run};

/// Runs as rows.
pub(in crate::lake) fn runs_of<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<RecordBatch> {
    let mut texts: [StringBuilder; 6] = Default::default();
    let mut numbers: [Int64Builder; 3] = Default::default();
    let mut days = Vec::new();
    for run in runs {
        days.push(day_of(run.start.as_nanos()));
        texts[0].append_value(run.id.to_string());
        texts[1].append_value(&run.command);
        texts[2].append_value(&run.version);
        numbers[0].append_value(run.start.as_nanos());
        numbers[1].append_option(run.end.map(Time::as_nanos));
        numbers[2].append_option(run.end.map(|end| end.since(run.start).max(0)));
        texts[3].append_value(status_word(run.status.code));
        texts[4].append_value(&run.status.message);
        texts[5].append_value(attributes_to_text(&run.attributes));
    }
    let mut arrays: Vec<_> = vec![Arc::new(Date32Array::from(days)) as _];
    let texts = texts.each_mut().map(|text| Arc::new(text.finish()) as _);
    arrays.extend_from_slice(&texts[..3]);
    arrays.extend(numbers.iter_mut().map(|number| Arc::new(number.finish()) as _));
    arrays.extend_from_slice(&texts[3..]);
    RecordBatch::try_new(Table::Runs.schema(), arrays).map_err(|error| broken(&error))
}

/// Runs out of rows of the table.
pub(in crate::lake) fn runs_from(rows: &RecordBatch) -> Result<Vec<Run>> {
    let text = |name: &str| rows.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    let number = |name: &str| rows.column_by_name(name).and_then(|column| column.as_primitive_opt::<Int64Type>());
    let texts = ["run_id", "command", "version", "status", "status_message", "attributes"].map(text);
    let [Some(ids), Some(commands), Some(versions), Some(status), Some(messages), Some(attributes)] = texts else {
        return Err(damaged("runs", "a column is missing"));
    };
    let [Some(starts), Some(ends)] = ["start_unix_nano", "end_unix_nano"].map(number) else {
        return Err(damaged("runs", "a time is missing"));
    };
    let run = |row: usize| {
        Ok(Run {
            id: ids.value(row).parse().map_err(|_| damaged("runs", "an id is none"))?,
            command: commands.value(row).into(),
            version: versions.value(row).into(),
            start: Time::from_nanos(starts.value(row)),
            end: ends.is_valid(row).then(|| Time::from_nanos(ends.value(row))),
            status: Status { code: status_code(status.value(row)), message: messages.value(row).into() },
            attributes: attributes_from_text(attributes.value(row))?,
        })
    };
    (0..rows.num_rows()).map(run).collect()
}

fn status_code(word: &str) -> StatusCode {
    let codes = [StatusCode::Ok, StatusCode::Error];
    codes.into_iter().find(|code| status_word(*code) == word).unwrap_or_default()
}
