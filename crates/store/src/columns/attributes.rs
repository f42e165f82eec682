//! The typed maps of attributes while they grow.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, MapArray, StructArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::schema::{map_entries, map_field};

/// One map column: keys and values of all rows, and where each row ends.
struct Map<V> {
    keys: StringBuilder,
    values: V,
    ends: Vec<i32>,
}

impl<V> Map<V> {
    fn new(keys: StringBuilder, values: V) -> Self {
        Self { keys, values, ends: vec![0] }
    }

    fn end_row(&mut self, length: usize) {
        // The builder's limit of bytes keeps the count of entries far below what fits.
        self.ends.push(i32::try_from(length).unwrap_or(i32::MAX));
    }

    fn finish(&mut self, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
        let kind = values.data_type().clone();
        let keys: ArrayRef = Arc::new(self.keys.finish());
        let entries = StructArray::try_new(map_entries(kind.clone()), vec![keys, values], None)?;
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        Ok(Arc::new(MapArray::try_new(Arc::new(map_field(kind)), offsets, entries, None, false)?))
    }
}

/// The attributes of the rows so far.
pub(crate) struct AttributesBuilder {
    strings: Map<StringBuilder>,
    ints: Map<Int64Builder>,
    doubles: Map<Float64Builder>,
    bools: Map<BooleanBuilder>,
    jsons: Map<StringBuilder>,
    order: StringBuilder,
    row: String,
    bytes: usize,
}

/// What one attribute costs beside its texts.
const ENTRY: usize = 16;

impl AttributesBuilder {
    /// No attributes, and room for those of about so many rows, with texts of so many bytes.
    pub(super) fn with_room(rows: usize, bytes: usize) -> Self {
        let text = || StringBuilder::with_capacity(rows, rows * bytes);
        Self {
            strings: Map::new(text(), text()),
            ints: Map::new(text(), Int64Builder::with_capacity(rows)),
            doubles: Map::new(text(), Float64Builder::with_capacity(rows)),
            bools: Map::new(text(), BooleanBuilder::with_capacity(rows)),
            jsons: Map::new(text(), text()),
            order: text(),
            row: String::new(),
            bytes: 0,
        }
    }

    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn string(&mut self, key: &str, text: &str) {
        self.strings.keys.append_value(key);
        self.strings.values.append_value(text);
        self.count('s', key.len() + text.len());
    }

    pub(crate) fn int(&mut self, key: &str, number: i64) {
        self.ints.keys.append_value(key);
        self.ints.values.append_value(number);
        self.count('i', key.len());
    }

    pub(crate) fn double(&mut self, key: &str, number: f64) {
        self.doubles.keys.append_value(key);
        self.doubles.values.append_value(number);
        self.count('d', key.len());
    }

    pub(crate) fn bool(&mut self, key: &str, yes: bool) {
        self.bools.keys.append_value(key);
        self.bools.values.append_value(yes);
        self.count('b', key.len());
    }

    pub(crate) fn json(&mut self, key: &str, text: &str) {
        self.jsons.keys.append_value(key);
        self.jsons.values.append_value(text);
        self.count('j', key.len() + text.len());
    }

    fn count(&mut self, letter: char, bytes: usize) {
        self.row.push(letter);
        self.bytes += bytes + ENTRY;
    }

    /// Ends the row: what came since the last end is its attributes.
    pub(super) fn end_row(&mut self) {
        use arrow_array::builder::ArrayBuilder;
        let lengths = [
            self.strings.keys.len(),
            self.ints.keys.len(),
            self.doubles.keys.len(),
            self.bools.keys.len(),
            self.jsons.keys.len(),
        ];
        self.strings.end_row(lengths[0]);
        self.ints.end_row(lengths[1]);
        self.doubles.end_row(lengths[2]);
        self.bools.end_row(lengths[3]);
        self.jsons.end_row(lengths[4]);
        self.order.append_value(&self.row);
        self.row.clear();
        self.bytes += 5 * size_of::<i32>();
    }

    /// The five maps and their order, as the schema has them; empty afterwards.
    pub(super) fn finish(&mut self) -> Result<[ArrayRef; 6], ArrowError> {
        self.bytes = 0;
        let strings: ArrayRef = Arc::new(self.strings.values.finish());
        let ints: ArrayRef = Arc::new(self.ints.values.finish());
        let doubles: ArrayRef = Arc::new(self.doubles.values.finish());
        let bools: ArrayRef = Arc::new(self.bools.values.finish());
        let jsons: ArrayRef = Arc::new(self.jsons.values.finish());
        debug_assert_eq!(strings.data_type(), &DataType::Utf8);
        Ok([
            self.strings.finish(strings)?,
            self.ints.finish(ints)?,
            self.doubles.finish(doubles)?,
            self.bools.finish(bools)?,
            self.jsons.finish(jsons)?,
            Arc::new(self.order.finish()),
        ])
    }
}
