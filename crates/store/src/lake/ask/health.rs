//! How the store is.

use super::super::engine::Lake;
use super::super::table::Table;
use crate::{Health, Kept, Result, TableHealth};

impl Lake {
    pub(in crate::lake) async fn how_it_is(&self) -> Result<Health> {
        let mut tables = Vec::new();
        for table in Table::ALL {
            let (version, files, rows, bytes) = self.shared.cold(table)?.size().await?;
            let hot_rows = self.shared.hot().rows(table);
            tables.push(TableHealth { name: table.name().to_owned(), version, files, rows, bytes, hot_rows });
        }
        let lag =
            self.shared.hot().segments.values().next().map_or(0.0, |segment| segment.since.elapsed().as_secs_f64());
        Ok(Health {
            location: self.shared.place.root().to_owned(),
            tables,
            log_bytes: self.shared.segments().bytes(),
            memory_bytes: self.shared.hot().bytes() as u64,
            lag_seconds: lag,
            retention: self.kept(),
            drops: self.shared.drops(),
            problems: self.shared.problems(),
        })
    }

    fn kept(&self) -> Kept {
        let retention = &self.shared.options.retention;
        Kept {
            journeys_seconds: retention.journeys.map(|time| time.as_secs()),
            segments_seconds: retention.segments.map(|time| time.as_secs()),
            background_seconds: retention.background.map(|time| time.as_secs()),
            bytes: retention.bytes,
        }
    }
}
