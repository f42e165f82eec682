//! Since when about so many rows began.

use super::Files;
use crate::TimeRange;

impl Files {
    /// The time since which about so many rows of a range began, if it has more than that. Rows are taken to be spread
    /// evenly over the time of their file.
    pub(in crate::lake) fn since(&self, range: TimeRange, rows: usize) -> Option<i64> {
        let to = range.to.map_or(i64::MAX, |time| time.as_nanos());
        let mut wanted = i128::try_from(rows).ok()?;
        for file in &self.files {
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
