//! `clew sql`: questions to the tables.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use arrow_array::RecordBatch;
use clew_store::lake::{Lake, Options, Retention};
use clew_store::{SqlLimits, Store};

use super::place::existing;
use crate::args::{Global, Output};
use crate::client::{Client, ServerArgs};
use crate::rows;

const EXAMPLES: &str = "\
Tables: spans, journeys, edges, runs.

Examples:
  clew sql \"select state, count(*) from journeys group by state\"
  clew sql \"select name, approx_percentile_cont(duration_nano, 0.95) / 1e6 as p95_ms from spans group by name\"
  clew sql \"select * from journeys\" --output parquet > journeys.parquet
  clew sql --data ./lake \"select count(*) from spans\"       a store that no clew has open";

/// Ask the tables of a running clew, or of a store, in SQL.
///
/// Read-only. Recent and old data answer together.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sql {
    /// The query.
    query: String,
    #[command(flatten)]
    server: ServerArgs,
    /// Open this store instead of asking a clew that runs.
    #[arg(long, value_name = "DIR", conflicts_with = "server")]
    data: Option<PathBuf>,
    /// Where its tables are, if not in that folder: another one, or a bucket by its `s3` address.
    #[arg(long, value_name = "URL", requires = "data")]
    tables: Option<String>,
    /// How many rows to print at most.
    #[arg(long, value_name = "ROWS", default_value_t = SqlLimits::default().rows)]
    limit: usize,
    /// How long it may take.
    #[arg(long, value_name = "SECONDS", default_value_t = SqlLimits::default().time.as_secs())]
    timeout: u64,
}

impl Sql {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let output = global.output;
        if output == Output::Otlp {
            bail!("rows are no spans: choose --output text, json, jsonl, csv or parquet");
        }
        let batches = crate::runtime()?.block_on(self.ask())?;
        let mut out = std::io::stdout();
        match rows::print(&batches, output, &mut out).and_then(|()| out.flush().map_err(Into::into)) {
            Err(error) if crate::exit::is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
            result => result.map(|()| ExitCode::SUCCESS),
        }
    }

    async fn ask(&self) -> anyhow::Result<Vec<RecordBatch>> {
        if let Some(data) = &self.data {
            let limits = SqlLimits { rows: self.limit, time: Duration::from_secs(self.timeout) };
            let tables = self.tables.clone();
            let options = existing(Options { tables, retention: Retention::FOREVER, ..Options::at(data) })?;
            let lake = Lake::open(options).await.context("cannot open the store")?;
            let batches = lake.sql(&self.query, limits).await?;
            lake.close().await?;
            return Ok(batches);
        }
        self.ask_server(&self.server.client()?).await
    }

    async fn ask_server(&self, client: &Client) -> anyhow::Result<Vec<RecordBatch>> {
        let query = [
            ("query".to_owned(), self.query.clone()),
            ("limit".to_owned(), self.limit.to_string()),
            ("timeout".to_owned(), self.timeout.to_string()),
        ];
        let body = client.bytes("/api/v1/sql", &query).await?;
        let reader = arrow_ipc::reader::StreamReader::try_new(std::io::Cursor::new(body), None);
        let batches = reader.context("the answer is not a table")?.collect::<Result<Vec<_>, _>>();
        batches.context("the answer broke off")
    }
}
