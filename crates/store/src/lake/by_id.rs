//! What is asked for by id.

use datafusion::arrow::array::{Array, AsArray, BooleanArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use rustc_hash::FxHashSet;

use super::files::{TIME, Wanted};

const JOURNEY: &str = "journey_id";

/// Rows that have one of some ids in a column.
#[derive(Debug, Clone)]
pub(super) struct ById {
    column: &'static str,
    ids: FxHashSet<String>,
    class: Class,
    /// When they began, at the earliest and at the latest.
    near: Option<(i64, i64)>,
    /// Journeys whose rows do not count.
    except: FxHashSet<String>,
}

/// Whose spans are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Any,
    /// Those that clew made.
    Woven,
    /// Those that came.
    Native,
}

impl ById {
    pub(super) fn new(column: &'static str, ids: impl IntoIterator<Item = impl ToString>) -> Self {
        let ids = ids.into_iter().map(|id| id.to_string()).collect();
        Self { column, ids, class: Class::Any, near: None, except: FxHashSet::default() }
    }

    /// Only spans that clew made.
    pub(super) fn woven(self) -> Self {
        Self { class: Class::Woven, ..self }
    }

    /// Only spans that came.
    pub(super) fn native(self) -> Self {
        Self { class: Class::Native, ..self }
    }

    /// Only what began at a time.
    pub(super) fn near(self, earliest: i64, latest: i64) -> Self {
        Self { near: Some((earliest, latest)), ..self }
    }

    /// Without rows of these journeys, of which memory knows better. What came of its own counts in any case.
    pub(super) fn but_not_of(mut self, journeys: FxHashSet<String>) -> Self {
        if self.class != Class::Native {
            if self.column == JOURNEY {
                self.ids.retain(|id| !journeys.contains(id));
            } else {
                self.except = journeys;
            }
        }
        self
    }

    /// The column that has the ids.
    pub(super) fn column(&self) -> &'static str {
        self.column
    }

    /// Whether no row can be meant.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn wanted(&self) -> Wanted<'_> {
        Wanted::new(self.column, self.ids.iter().map(String::as_str).collect())
    }

    /// The columns that must be known of a row, beside its class.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> {
        let except = (!self.except.is_empty()).then_some(JOURNEY);
        [self.column].into_iter().chain(self.near.map(|_| TIME)).chain(except)
    }

    /// Whether spans of a class may be meant.
    pub(super) fn is_of(&self, class: &str) -> bool {
        match self.class {
            Class::Any => true,
            Class::Woven => class == "journey",
            Class::Native => class != "journey",
        }
    }

    /// Whether rows that began between two times may be meant.
    pub(super) fn overlaps(&self, oldest: i64, newest: i64) -> bool {
        self.near.is_none_or(|(earliest, latest)| oldest <= latest && newest >= earliest)
    }

    /// Whether one of the ids is not less than one text and not greater than another.
    pub(super) fn lies_between(&self, least: &[u8], greatest: &[u8]) -> bool {
        self.ids.iter().any(|id| (least..=greatest).contains(&id.as_bytes()))
    }

    /// Which rows are meant. Rows of a file do not have the class that the file has.
    pub(super) fn matches(&self, rows: &RecordBatch) -> Result<BooleanArray, ArrowError> {
        let Some(ids) = texts(rows, self.column)? else { return Ok(vec![false; rows.num_rows()].into()) };
        let starts = if self.near.is_some() { times(rows)? } else { None };
        let classes = if self.class == Class::Any { None } else { texts(rows, "class")? };
        let journeys = if self.except.is_empty() { None } else { texts(rows, JOURNEY)? };
        let is_meant = |row: usize| {
            ids.is_valid(row)
                && self.ids.contains(ids.value(row))
                && starts.as_ref().is_none_or(|starts| self.overlaps(starts.value(row), starts.value(row)))
                && classes.as_ref().is_none_or(|classes| self.is_of(classes.value(row)))
                && journeys.as_ref().is_none_or(|journeys| !self.except.contains(journeys.value(row)))
        };
        Ok((0..rows.num_rows()).map(|row| Some(is_meant(row))).collect())
    }
}

/// A column as text, which may be a dictionary in memory.
fn texts(rows: &RecordBatch, name: &str) -> Result<Option<StringArray>, ArrowError> {
    let Some(column) = rows.column_by_name(name) else { return Ok(None) };
    cast(column, &DataType::Utf8).map(|column| Some(column.as_string().clone()))
}

/// When rows began.
fn times(rows: &RecordBatch) -> Result<Option<Int64Array>, ArrowError> {
    let Some(column) = rows.column_by_name(TIME) else { return Ok(None) };
    cast(column, &DataType::Int64).map(|column| Some(column.as_primitive().clone()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn rows() -> RecordBatch {
        let text = |values: [Option<&str>; 5]| Arc::new(StringArray::from(values.to_vec())) as Arc<dyn Array>;
        let columns = [
            ("trace_id", text([Some("a"), Some("a"), Some("b"), None, Some("c")])),
            ("journey_id", text([Some("j"), Some("k"), None, Some("j"), Some("j")])),
            ("class", text([Some("journey"), Some("segment"), Some("background"), Some("journey"), Some("journey")])),
            (TIME, Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5]))),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn meant(asked: &ById, rows: &RecordBatch) -> Vec<usize> {
        let meant = asked.matches(rows).unwrap();
        (0..meant.len()).filter(|row| meant.value(*row)).collect()
    }

    #[test]
    fn every_condition_holds_for_the_rows_that_are_meant() {
        let asked = || ById::new("trace_id", ["a", "b"]);
        let journeys = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<FxHashSet<_>>();
        assert_eq!(meant(&asked(), &rows()), [0, 1, 2]);
        assert_eq!(meant(&asked().woven(), &rows()), [0]);
        assert_eq!(meant(&asked().native(), &rows()), [1, 2]);
        assert_eq!(meant(&asked().near(2, 3), &rows()), [1, 2]);
        assert_eq!(meant(&asked().but_not_of(journeys(&["k"])), &rows()), [0, 2]);
        assert_eq!(meant(&asked().native().but_not_of(journeys(&["k"])), &rows()), [1, 2], "what came counts");
        let of_journeys = || ById::new("journey_id", ["j", "k"]).but_not_of(journeys(&["j"]));
        assert_eq!(meant(&of_journeys(), &rows()), [1]);
        assert!(ById::new("journey_id", ["j"]).but_not_of(journeys(&["j"])).is_empty());
        assert!(of_journeys().lies_between(b"k", b"z") && !of_journeys().lies_between(b"a", b"j"));
        assert_eq!(meant(&asked(), &rows().project(&[1]).unwrap()), [] as [usize; 0], "no such column");
    }

    #[test]
    fn a_file_has_its_class_and_time_for_all_of_its_rows() {
        let asked = ById::new("trace_id", ["a"]).native().near(10, 20);
        assert!(asked.is_of("segment") && !asked.is_of("journey"));
        let overlaps = [(0, 9), (0, 10), (12, 13), (20, 30), (21, 30)].map(|(from, to)| asked.overlaps(from, to));
        assert_eq!(overlaps, [false, true, true, true, false]);
        let rows = rows().project(&[0]).unwrap();
        assert_eq!(meant(&ById::new("trace_id", ["a"]).native(), &rows), [0, 1]);
    }
}
