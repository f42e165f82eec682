//! Since when about so many rows began.

use clew_model::Time;

use super::Files;
use crate::TimeRange;

impl Files {
    /// The time since which about so many rows of a range began, if it has more than that. Rows are taken to be spread
    /// evenly over the time of their file.
    pub(in crate::lake) fn since(&self, range: TimeRange, rows: usize) -> Option<i64> {
        let to = range.to.map_or(i64::MAX, Time::as_nanos);
        let mut wanted = i128::try_from(rows).ok()?;
        for file in &self.newest_first {
            let (begin, end) = (file.oldest()?, file.newest());
            let (time, asked) =
                (i128::from(end) - i128::from(begin) + 1, i128::from(end.min(to)) - i128::from(begin) + 1);
            let rows = i128::try_from(file.rows()).ok()? * asked.max(0) / time;
            if rows > wanted {
                let since = i64::try_from(i128::from(end.min(to)) - asked * wanted / rows).ok()?;
                return Some(since).filter(|since| range.from.is_none_or(|from| from.as_nanos() < *since));
            }
            wanted -= rows;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::prelude::SessionContext;
    use object_store::ObjectMeta;
    use object_store::memory::InMemory;
    use object_store::path::Path;

    use super::super::data_file::DataFile;
    use super::*;
    use crate::lake::table::Table;

    /// Files with so many rows from one time to another, the newest first.
    fn files(of: &[(usize, i64, i64)]) -> Files {
        let mut files =
            Files::none(Table::Journeys, Arc::new(InMemory::new()), &SessionContext::new(), 0).expect("none");
        let file = |(rows, oldest, newest): &(usize, i64, i64)| {
            let meta = ObjectMeta {
                location: Path::from("file"),
                last_modified: std::time::UNIX_EPOCH.into(),
                size: 0,
                e_tag: None,
                version: None,
            };
            Arc::new(DataFile::new(Table::Journeys, meta, Vec::new(), Some(*rows), Some((*oldest, *newest))))
        };
        files.newest_first = of.iter().map(file).collect();
        files
    }

    fn range(from: Option<i64>, to: Option<i64>) -> TimeRange {
        TimeRange { from: from.map(Time::from_nanos), to: to.map(Time::from_nanos) }
    }

    #[test]
    fn the_newest_rows_are_in_the_newest_part_of_the_newest_files() {
        let files = files(&[(100, 2000, 2099), (1000, 1000, 1999), (1000, 0, 999)]);
        let since = |rows| files.since(TimeRange::default(), rows);
        assert_eq!(since(50), Some(2049));
        assert_eq!(since(200), Some(1899));
        assert_eq!(since(1500), Some(599));
        assert_eq!(since(2100), None, "all rows are not fewer than all");
    }

    #[test]
    fn rows_outside_the_range_do_not_count() {
        let files = files(&[(100, 2000, 2099), (1000, 1000, 1999)]);
        assert_eq!(files.since(range(None, Some(1499)), 100), Some(1399));
        assert_eq!(files.since(range(Some(1990), None), 200), None, "the range begins later");
        assert_eq!(files.since(range(None, Some(500)), 10), None, "nothing is there");
    }
}
