//! One table of the lake: Delta Lake commits of sorted Parquet files.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use deltalake_core::kernel::LogicalFileView;
use deltalake_core::kernel::scalars::ScalarExt;
use deltalake_core::kernel::transaction::{CommitBuilder, CommitProperties};
use deltalake_core::kernel::{Action, Add, StructType, Transaction, engine::arrow_conversion::TryIntoKernel};
use deltalake_core::operations::create::CreateBuilder;
use deltalake_core::protocol::{DeltaOperation, SaveMode};
use deltalake_core::writer::{DeltaWriter, RecordBatchWriter, WriteMode};
use deltalake_core::{DeltaTable, DeltaTableBuilder, DeltaTableError};
use indexmap::IndexMap;
use tokio::sync::Mutex;

use super::fault::{broken, damaged, delta};
use super::files::Files;
use super::fingerprint::{fingerprint, fingerprint_of};
use super::options::Limits;
use super::place::Place;
use super::properties::writer_properties;
use super::session::rewriting;
use super::sorted::Sorted;
use super::straight::Straight;
use super::table::Table;
use crate::Result;

/// Commits of others that came first are retried on top of theirs.
const RETRIES: usize = 50;

/// One table of the lake.
pub(super) struct Cold {
    /// Which.
    pub(super) table: Table,
    delta: Mutex<DeltaTable>,
    files: Mutex<Arc<Files>>,
}

impl Cold {
    /// Opens the table; makes it if it is not there.
    pub(super) async fn open(table: Table, place: &Place, limits: &Limits, session: &SessionContext) -> Result<Self> {
        let failed = |error: DeltaTableError| delta("open", table.name(), &error);
        let url = place.table(table)?;
        let builder = DeltaTableBuilder::from_url(url.clone()).map_err(failed)?;
        let mut opened = builder.with_storage_options(place.storage()).build().map_err(failed)?;
        if !opened.verify_deltatable_existence().await.map_err(failed)? {
            let columns: StructType = table.schema().as_ref().try_into_kernel().map_err(|error| broken(&error))?;
            let created = CreateBuilder::new()
                .with_log_store(opened.log_store())
                .with_table_name(table.name())
                .with_columns(columns.fields().cloned())
                .with_partition_columns(table.partitions().iter().copied())
                .with_configuration(configuration(limits.deleted_files))
                .with_save_mode(SaveMode::Ignore)
                .await;
            // Another process may have made it in the same moment.
            if let Err(error) = created
                && !opened.verify_deltatable_existence().await.map_err(failed)?
            {
                return Err(failed(error));
            }
        }
        opened.load().await.map_err(failed)?;
        let files = Files::none(table, opened.object_store(), session, limits.known_rows)?;
        Ok(Self { table, delta: Mutex::new(opened), files: Mutex::new(Arc::new(files)) })
    }

    /// Adds rows, and spans that were not read yet, in one commit that carries the writer's transactions.
    pub(super) async fn append(
        &self,
        batches: &[RecordBatch],
        spans: Option<&Straight<'_>>,
        transactions: Vec<Transaction>,
    ) -> Result<()> {
        let mut table = self.delta().await;
        let adds = self.write(&table, batches, spans).await?;
        if adds.is_empty() {
            return Ok(());
        }
        let operation = DeltaOperation::Write {
            mode: SaveMode::Append,
            partition_by: Some(self.table.partitions().iter().map(|name| (*name).to_owned()).collect()),
            predicate: None,
        };
        let properties =
            CommitProperties::default().with_max_retries(RETRIES).with_application_transactions(transactions);
        self.commit(&mut table, adds.into_iter().map(Action::Add).collect(), operation, properties).await
    }

    /// Takes files out and puts rows in, in one commit.
    pub(super) async fn drop_files(&self, which: impl Fn(&Add) -> bool, kept: &[RecordBatch]) -> Result<()> {
        let mut table = self.delta().await;
        let snapshot = table.snapshot().map_err(|error| delta("read", self.table.name(), &error))?;
        let files = snapshot.log_data();
        let gone = files.iter().filter(|file| which(&add(file))).map(|file| Action::Remove(file.remove_action(true)));
        let mut actions: Vec<Action> = gone.collect();
        if actions.is_empty() {
            return Ok(());
        }
        actions.extend(self.write(&table, kept, None).await?.into_iter().map(Action::Add));
        let operation = DeltaOperation::Delete { predicate: None };
        self.commit(&mut table, actions, operation, CommitProperties::default()).await
    }

    /// Writes rows into new files, which no version has yet.
    async fn write(
        &self,
        table: &DeltaTable,
        batches: &[RecordBatch],
        spans: Option<&Straight<'_>>,
    ) -> Result<Vec<Add>> {
        let sorted = Sorted::new(self.table, batches)?;
        let rows = sorted.as_ref().map_or(0, Sorted::rows) + spans.map_or(0, Straight::rows);
        if rows == 0 {
            return Ok(Vec::new());
        }
        let failed = |error: DeltaTableError| delta("write", self.table.name(), &error);
        let mut writer = RecordBatchWriter::for_table(table)
            .map_err(failed)?
            .with_writer_properties(writer_properties(self.table, rows));
        let sorted = sorted.as_ref().map(Sorted::pieces).transpose()?;
        let pieces = sorted.into_iter().flatten().chain(spans.into_iter().flat_map(Straight::pieces));
        for rows in pieces {
            let rows = rows?;
            let folder = self.table.partitions().iter().map(|name| {
                let column = rows.column_by_name(name)?;
                Some(((*name).to_owned(), ScalarExt::from_array(column, 0)?))
            });
            let folder = folder.collect::<Option<IndexMap<_, _>>>();
            let folder = folder.ok_or_else(|| damaged(self.table.name(), "a row says not where it belongs"))?;
            writer.write_partition(rows, &folder, WriteMode::Default).await.map_err(failed)?;
        }
        let mut adds = writer.flush().await.map_err(failed)?;
        let store = table.object_store();
        for add in &mut adds {
            fingerprint(store.as_ref(), self.table, add).await?;
        }
        Ok(adds)
    }

    /// Writes down what the files of others, of merging and of taking out rows look like, so that damage shows.
    pub(super) async fn fingerprint_all(&self) -> Result<()> {
        let mut table = self.delta().await;
        table.update_state().await.map_err(|error| delta("read", self.table.name(), &error))?;
        let store = table.object_store();
        let mut adds = self.adds(&table)?;
        adds.retain(|add| fingerprint_of(add).is_none());
        for add in &mut adds {
            add.data_change = false;
            fingerprint(store.as_ref(), self.table, add).await?;
        }
        if adds.is_empty() {
            return Ok(());
        }
        let operation = DeltaOperation::Write { mode: SaveMode::Append, partition_by: None, predicate: None };
        let properties = CommitProperties::default().with_max_retries(RETRIES);
        self.commit(&mut table, adds.into_iter().map(Action::Add).collect(), operation, properties).await
    }

    async fn commit(
        &self,
        table: &mut DeltaTable,
        actions: Vec<Action>,
        operation: DeltaOperation,
        properties: CommitProperties,
    ) -> Result<()> {
        let failed = |error: DeltaTableError| delta("write", self.table.name(), &error);
        let snapshot = table.snapshot().map_err(failed)?;
        CommitBuilder::from(properties)
            .with_actions(actions)
            .build(Some(snapshot), table.log_store(), operation)
            .await
            .map_err(failed)?;
        table.update_state().await.map_err(failed)?;
        self.replace(table.clone()).await;
        Ok(())
    }

    /// The files of a version of the table.
    pub(super) fn adds(&self, table: &DeltaTable) -> Result<Vec<Add>> {
        let snapshot = table.snapshot().map_err(|error| delta("read", self.table.name(), &error))?;
        Ok(snapshot.log_data().iter().map(|file| add(&file)).collect())
    }

    /// Takes rows out in one commit.
    pub(super) async fn remove(&self, which: Expr) -> Result<()> {
        let failed = |error: DeltaTableError| delta("write", self.table.name(), &error);
        let removing = self.delta().await.delete().with_predicate(which).with_session_state(rewriting());
        let removing = removing.with_writer_properties(writer_properties(self.table, 1 << 20));
        let (removed, _) = removing.await.map_err(failed)?;
        self.replace(removed).await;
        Ok(())
    }

    /// The last transaction that a writer committed.
    pub(super) async fn transaction(&self, app: &str) -> Result<Option<i64>> {
        let table = self.delta.lock().await;
        let failed = |error: DeltaTableError| delta("read", self.table.name(), &error);
        let store = table.log_store();
        table.snapshot().map_err(failed)?.transaction_version(store.as_ref(), app).await.map_err(failed)
    }

    /// Sees what others committed, and gives what queries read from now on.
    pub(super) async fn files(&self) -> Result<Arc<Files>> {
        let failed = |error: DeltaTableError| delta("read", self.table.name(), &error);
        let mut table = self.delta.lock().await;
        table.update_state().await.map_err(failed)?;
        let mut files = self.files.lock().await;
        *files = Arc::new(files.next(table.snapshot().map_err(failed)?.log_data().iter())?);
        Ok(Arc::clone(&files))
    }

    /// Its version, files, rows and bytes.
    pub(super) async fn size(&self) -> Result<(u64, u64, u64, u64)> {
        let table = self.delta.lock().await;
        let snapshot = table.snapshot().map_err(|error| delta("read", self.table.name(), &error))?;
        let (mut files, mut rows, mut bytes) = (0, 0, 0);
        for file in snapshot.log_data().iter() {
            files += 1;
            rows += file.num_records().unwrap_or(0) as u64;
            bytes += u64::try_from(file.size()).unwrap_or(0);
        }
        Ok((snapshot.version(), files, rows, bytes))
    }

    /// The table as Delta Lake knows it, at its last known version.
    pub(super) async fn delta(&self) -> DeltaTable {
        self.delta.lock().await.clone()
    }

    /// Puts a newer version in place; an older one changes nothing.
    pub(super) async fn replace(&self, table: DeltaTable) {
        let mut current = self.delta.lock().await;
        if table.version() >= current.version() {
            *current = table;
        }
    }
}

#[expect(deprecated, reason = "nothing else gives a file's tags")]
fn add(file: &LogicalFileView) -> Add {
    file.add_action()
}

fn configuration(deleted_files: Duration) -> HashMap<String, Option<String>> {
    let entries = [
        ("delta.checkpointInterval", "50".to_owned()),
        ("delta.logRetentionDuration", "interval 1 days".to_owned()),
        ("delta.deletedFileRetentionDuration", format!("interval {} seconds", deleted_files.as_secs())),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), Some(value))).collect()
}
