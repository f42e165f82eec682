//! Rows of a column in another order.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray, UInt32Array};
use datafusion::arrow::buffer::{OffsetBuffer, ScalarBuffer};
use datafusion::arrow::compute::take;
use datafusion::arrow::error::ArrowError;

/// The rows of a column that an order names. Arrow's own way copies a map row by row, which is most of a flush.
pub(super) fn gather(column: &ArrayRef, order: &UInt32Array) -> Result<ArrayRef, ArrowError> {
    match column.as_map_opt() {
        Some(map) if map.null_count() == 0 => Ok(Arc::new(gather_map(map, order)?)),
        _ => take(column, order, None),
    }
}

fn gather_map(map: &MapArray, order: &UInt32Array) -> Result<MapArray, ArrowError> {
    let places = map.value_offsets();
    let mut entries: Vec<u32> = Vec::with_capacity(map.entries().len().min(order.len() * 8));
    let mut ends: Vec<i32> = Vec::with_capacity(order.len() + 1);
    ends.push(0);
    let too_many = |_| ArrowError::OffsetOverflowError(entries_limit());
    for row in order.values() {
        let row = *row as usize;
        let (from, to) = (u32::try_from(places[row]), u32::try_from(places[row + 1]));
        entries.extend(from.map_err(too_many)?..to.map_err(too_many)?);
        ends.push(i32::try_from(entries.len()).map_err(too_many)?);
    }
    let entries = UInt32Array::from(entries);
    let columns = map.entries().columns().iter().map(|column| take(column, &entries, None));
    let fields = map.entries().fields().clone();
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let entries = StructArray::try_new_with_length(fields, columns, None, entries.len())?;
    let field = match map.data_type() {
        datafusion::arrow::datatypes::DataType::Map(field, _) => Arc::clone(field),
        other => return Err(ArrowError::InvalidArgumentError(format!("{other} is no map"))),
    };
    MapArray::try_new(field, OffsetBuffer::new(ScalarBuffer::from(ends)), entries, None, false)
}

const fn entries_limit() -> usize {
    i32::MAX as usize
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{MapBuilder, StringBuilder};

    use super::*;

    #[test]
    fn maps_come_out_as_arrow_itself_takes_them() {
        let mut maps = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        for row in 0..7 {
            for entry in 0..row % 3 {
                maps.keys().append_value(format!("key {entry}"));
                maps.values().append_option((entry != row).then(|| format!("{row} {entry}")));
            }
            maps.append(true).unwrap();
        }
        let column: ArrayRef = Arc::new(maps.finish());
        for order in [vec![6, 0, 3, 3, 1], vec![], vec![0, 0]] {
            let order = UInt32Array::from(order);
            assert_eq!(&gather(&column, &order).unwrap(), &take(&column, &order, None).unwrap());
            let part = column.slice(1, 5);
            let order = UInt32Array::from(order.values().iter().map(|row| row % 5).collect::<Vec<_>>());
            assert_eq!(&gather(&part, &order).unwrap(), &take(&part, &order, None).unwrap());
        }
    }
}
