//! Rows out of several batches, in a given order.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray, new_null_array};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::interleave;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;

type Arrow<T> = Result<T, ArrowError>;

/// The rows of a column that an order of batch and row names. Arrow's own way copies a map row by row, and looks at each row
/// of a column that has none.
pub(super) fn gather(column: &[&dyn Array], order: &[(usize, usize)]) -> Arrow<ArrayRef> {
    if let Some(first) = column.first()
        && column.iter().all(|part| part.null_count() == part.len())
    {
        return Ok(new_null_array(first.data_type(), order.len()));
    }
    let maps: Option<Vec<&MapArray>> =
        column.iter().map(|part| part.as_map_opt().filter(|map| map.null_count() == 0)).collect();
    match (maps, column.first().map(|part| part.data_type())) {
        (Some(maps), Some(DataType::Map(..))) => Ok(Arc::new(gather_maps(&maps, order)?)),
        _ => interleave(column, order),
    }
}

fn gather_maps(maps: &[&MapArray], order: &[(usize, usize)]) -> Arrow<MapArray> {
    let mut entries = Vec::new();
    let mut lengths = Vec::with_capacity(order.len());
    for (part, row) in order {
        let places = maps[*part].value_offsets();
        let place = |at: usize| usize::try_from(places[at]).unwrap_or_default();
        let (from, to) = (place(*row), place(*row + 1));
        entries.extend((from..to).map(|entry| (*part, entry)));
        lengths.push(to - from);
    }
    let DataType::Map(field, _) = maps[0].data_type() else {
        return Err(ArrowError::InvalidArgumentError("a map is none".to_owned()));
    };
    let columns = (0..maps[0].entries().num_columns()).map(|number| {
        let parts: Vec<&dyn Array> = maps.iter().map(|map| map.entries().column(number).as_ref()).collect();
        interleave(&parts, &entries)
    });
    let columns = columns.collect::<Arrow<Vec<_>>>()?;
    let fields = maps[0].entries().fields().clone();
    let entries = StructArray::try_new_with_length(fields, columns, None, entries.len())?;
    MapArray::try_new(Arc::clone(field), OffsetBuffer::from_lengths(lengths), entries, None, false)
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{MapBuilder, StringBuilder};

    use super::*;

    fn maps(rows: std::ops::Range<usize>) -> ArrayRef {
        let mut maps = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        for row in rows {
            for entry in 0..row % 3 {
                maps.keys().append_value(format!("key {entry}"));
                maps.values().append_option((entry != 1).then(|| format!("{row} {entry}")));
            }
            maps.append(true).unwrap();
        }
        Arc::new(maps.finish())
    }

    #[test]
    fn what_no_row_has_comes_out_as_arrow_itself_takes_it() {
        let (one, other) = (new_null_array(&DataType::Utf8, 3), new_null_array(&DataType::Utf8, 2));
        let parts: [&dyn Array; 2] = [&one, &other];
        let order = [(1, 1), (0, 2), (0, 0)];
        assert_eq!(&gather(&parts, &order).unwrap(), &interleave(&parts, &order).unwrap());
    }

    #[test]
    fn maps_come_out_as_arrow_itself_takes_them() {
        let (one, other) = (maps(0..7), maps(7..20).slice(2, 9));
        let parts: [&dyn Array; 2] = [&one, &other];
        for order in [vec![(0, 6), (1, 8), (0, 0), (1, 1), (1, 1)], vec![], vec![(1, 0)]] {
            assert_eq!(&gather(&parts, &order).unwrap(), &interleave(&parts, &order).unwrap());
        }
    }
}
