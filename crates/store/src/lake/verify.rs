//! Reads everything again: every checksum of the log, every file of the tables, and whether the tables fit together.

use bytes::Bytes;
use deltalake_core::kernel::Add;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::ask::{collect, texts};
use super::cold::Cold;
use super::engine::Lake;
use super::fingerprint::{fingerprint_of, load};
use super::table::Table;
use crate::log;
use crate::{Progress, Result};

/// What [`Lake::verify`] found.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Files of the log and of the tables that were read.
    pub files: u64,
    /// Records and rows that were read.
    pub rows: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// What is wrong, in words; empty if all is well.
    pub problems: Vec<String>,
}

/// What must never be found in the tables, and what it means.
const CHECKS: [(&str, &str); 4] = [
    ("select journey_id from journeys group by journey_id having count(*) > 1 limit 20", "is there more than once"),
    (
        "select distinct e.journey_id from edges e left join journeys j on e.journey_id = j.journey_id where j.journey_id is null limit 20",
        "has edges but is not there",
    ),
    (
        "select distinct s.journey_id from spans s left join journeys j on s.journey_id = j.journey_id \
         where s.class = 'journey' and j.journey_id is null limit 20",
        "has spans but is not there",
    ),
    (
        "select j.journey_id from journeys j left join \
         (select journey_id, count(*) as n from spans where class = 'journey' group by journey_id) s \
         on j.journey_id = s.journey_id where j.spans <> coalesce(s.n, 0) limit 20",
        "has not as many spans as it says",
    ),
];

impl Lake {
    /// Reads everything again and tells how far it is. Nothing is changed.
    pub async fn verify(&self, mut tell: impl FnMut(Progress)) -> Result<Report> {
        let mut report = Report::default();
        let folder = self.shared.log_folder();
        let segments = log::list(&folder)?;
        let of = (segments.len() + Table::ALL.len() + CHECKS.len()) as u64;
        let mut done = 0;
        let mut step = |doing: String| {
            tell(Progress { doing, done, of });
            done += 1;
        };
        for number in segments {
            step(format!("segment {number} of the log"));
            // One that was deleted meanwhile was in the lake.
            let Ok(bytes) = log::load(&folder, number) else { continue };
            let scan = log::scan(&bytes, |_| {});
            report.files += 1;
            report.rows += scan.records;
            report.bytes += scan.bytes;
            // The tail of the segment that is being written may be on its way.
            for damage in scan.damage.iter().filter(|damage| !damage.tail) {
                let path = log::path(&folder, number);
                report.problems.push(format!(
                    "{}: {} bytes at {} are damaged",
                    path.display(),
                    damage.bytes,
                    damage.at
                ));
            }
        }
        for table in Table::ALL {
            step(format!("table {}", table.name()));
            self.shared.cold(table)?.verify(&mut report).await?;
        }
        for (sql, meaning) in CHECKS {
            step("how the tables fit together".to_owned());
            match collect(&self.shared, sql).await {
                Ok(rows) => {
                    for batch in rows {
                        report.problems.extend(texts(&batch, 0)?.iter().map(|id| format!("journey {id} {meaning}")));
                    }
                }
                Err(error) => report.problems.push(error.to_string()),
            }
        }
        Ok(report)
    }
}

impl Cold {
    async fn verify(&self, report: &mut Report) -> Result<()> {
        let table = self.delta().await;
        let store = table.object_store();
        for add in self.adds(&table)? {
            report.files += 1;
            let name = format!("{}/{}", self.table.name(), add.path);
            match load(store.as_ref(), self.table, &add.path).await {
                Ok(bytes) => {
                    report.bytes += bytes.len() as u64;
                    match check(&add, bytes) {
                        Ok(rows) => report.rows += rows,
                        Err(reason) => report.problems.push(format!("{name} is damaged: {reason}")),
                    }
                }
                Err(error) => report.problems.push(error.to_string()),
            }
        }
        Ok(())
    }
}

/// Whether a file is what its commit says: its size, its checksum, and every row of it.
fn check(add: &Add, bytes: Bytes) -> std::result::Result<u64, String> {
    if i64::try_from(bytes.len()) != Ok(add.size) {
        return Err(format!("it has {} bytes where {} were committed", bytes.len(), add.size));
    }
    if fingerprint_of(add).is_some_and(|hash| hash != blake3::hash(&bytes).to_hex().as_str()) {
        return Err("its checksum does not fit".to_owned());
    }
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).and_then(ParquetRecordBatchReaderBuilder::build);
    let mut rows = 0;
    for batch in reader.map_err(|error| error.to_string())? {
        rows += batch.map_err(|error| error.to_string())?.num_rows() as u64;
    }
    let expected = add.get_stats().ok().flatten().and_then(|stats| u64::try_from(stats.num_records).ok());
    match expected {
        Some(expected) if expected != rows => Err(format!("it has {rows} rows where {expected} were committed")),
        _ => Ok(rows),
    }
}
