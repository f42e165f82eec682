//! The typed maps of attributes, read: entries by their places, without five slices, of three arrays each, for every row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, MapArray, StringArray};
use clew_model::{Attributes, Value};
use compact_str::CompactString;

use super::parse;
use super::read::{damaged, text};
use crate::Result;

/// The five maps and the order in which their entries came.
pub(super) struct Maps<'a> {
    strings: Entries<'a, StringArray>,
    ints: Entries<'a, Int64Array>,
    doubles: Entries<'a, Float64Array>,
    bools: Entries<'a, BooleanArray>,
    jsons: Entries<'a, StringArray>,
    order: &'a StringArray,
}

/// One map column.
struct Entries<'a, V> {
    ends: &'a [i32],
    keys: &'a StringArray,
    values: &'a V,
}

/// Where a row's next entry of each map is.
struct Next<'a, V> {
    entries: &'a Entries<'a, V>,
    at: usize,
    end: usize,
}

impl<'a> Maps<'a> {
    /// From the columns `attributes_string`, `_int`, `_double`, `_bool` and `_json`, and `attributes_order`.
    pub(super) fn new(maps: [&'a MapArray; 5], order: &'a StringArray) -> Result<Self> {
        let [strings, ints, doubles, bools, jsons] = maps;
        Ok(Self {
            strings: Entries::new(strings, |values| values.as_string_opt())?,
            ints: Entries::new(ints, |values| values.as_primitive_opt::<Int64Type>())?,
            doubles: Entries::new(doubles, |values| values.as_primitive_opt::<Float64Type>())?,
            bools: Entries::new(bools, |values| values.as_boolean_opt())?,
            jsons: Entries::new(jsons, |values| values.as_string_opt())?,
            order,
        })
    }

    /// The attributes of a row, which is there.
    pub(super) fn of(&self, row: usize) -> Result<Attributes> {
        let order = text(self.order, row);
        // Whoever shows the span in its journey adds one.
        let mut attributes = Attributes::with_capacity(order.len() + 1);
        let (mut strings, mut ints, mut doubles) = (self.strings.of(row), self.ints.of(row), self.doubles.of(row));
        let (mut bools, mut jsons) = (self.bools.of(row), self.jsons.of(row));
        for letter in order.bytes() {
            let (key, value) = match letter {
                b's' => strings.next(row, |values, at| Ok(Value::Str(CompactString::from(text(values, at)))))?,
                b'i' => ints.next(row, |values, at| Ok(Value::Int(values.value(at))))?,
                b'd' => doubles.next(row, |values, at| Ok(Value::Double(values.value(at))))?,
                b'b' => bools.next(row, |values, at| Ok(Value::Bool(values.value(at))))?,
                b'j' => jsons.next(row, |values, at| parse::value(text(values, at)))?,
                _ => return Err(damaged(format!("attributes_order of row {row} has an unknown letter"))),
            };
            attributes.push(key, value);
        }
        Ok(attributes)
    }
}

impl<'a, V> Entries<'a, V> {
    fn new(map: &'a MapArray, values: impl FnOnce(&'a dyn Array) -> Option<&'a V>) -> Result<Self> {
        let keys = map.keys().as_string_opt().ok_or_else(|| damaged("a key is no text".into()))?;
        let values = values(map.values().as_ref());
        let values = values.ok_or_else(|| damaged("an attribute is not of the type of its column".into()))?;
        Ok(Self { ends: map.value_offsets(), keys, values })
    }

    fn of(&'a self, row: usize) -> Next<'a, V> {
        let place = |row: usize| usize::try_from(self.ends[row]).unwrap_or_default();
        Next { entries: self, at: place(row), end: place(row + 1) }
    }
}

impl<'a, V> Next<'a, V> {
    fn next(&mut self, row: usize, value: impl FnOnce(&V, usize) -> Result<Value>) -> Result<(&'a str, Value)> {
        if self.at >= self.end {
            return Err(damaged(format!("attributes_order of row {row} names more attributes than there are")));
        }
        let at = self.at;
        self.at += 1;
        Ok((text(self.entries.keys, at), value(self.entries.values, at)?))
    }
}
