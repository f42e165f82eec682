//! The files of one version of a table, as queries read them.
//!
//! Delta Lake keeps the tables; its scan is not used to read them. It opens every file to look for one id, and hides from
//! the engine how old files are: a search for the newest rows reads them all.

mod asked;
mod by_id;
mod data_file;
mod groups;
mod ids;
mod prune;
mod recent;
mod resources;
mod scan;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::ScalarValue;
use datafusion::execution::cache::cache_manager::FileMetadataCache;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionContext;
use deltalake_core::kernel::LogicalFileView;
use object_store::ObjectStore;

pub(super) use self::by_id::Part;
use self::data_file::DataFile;
pub(super) use self::data_file::TIME;
pub(super) use self::ids::Wanted;
use super::fault::broken;
use super::table::Table;
use crate::{Result, StoreError};

/// The files of one version of a table.
#[derive(Debug)]
pub(super) struct Files {
    table: Table,
    url: ObjectStoreUrl,
    store: Arc<dyn ObjectStore>,
    metadata: Arc<FileMetadataCache>,
    newest_first: Vec<Arc<DataFile>>,
    /// Of how many of these the ids are learned; the others are asked without.
    learned: usize,
    /// How many rows those may have together.
    known_rows: usize,
}

impl Files {
    /// No files yet.
    pub(super) fn none(
        table: Table,
        store: Arc<dyn ObjectStore>,
        session: &SessionContext,
        known_rows: usize,
    ) -> Result<Self> {
        let url = ObjectStoreUrl::parse(format!("clew://{}", table.name())).map_err(|error| broken(&error))?;
        let runtime = session.runtime_env();
        runtime.register_object_store(url.as_ref(), Arc::clone(&store));
        let metadata = runtime.cache_manager.get_file_metadata_cache();
        Ok(Self { table, url, store, metadata, newest_first: Vec::new(), learned: 0, known_rows })
    }

    /// These files; what is known of those that were there before is kept.
    pub(super) fn next(&self, views: impl Iterator<Item = LogicalFileView>) -> Result<Self> {
        let before: HashMap<&str, &Arc<DataFile>> = self.newest_first.iter().map(|file| (file.path(), file)).collect();
        let mut files = Vec::new();
        for view in views {
            let known = before.get(view.object_store_path().as_ref()).map(|file| Arc::clone(file));
            files.push(match known {
                Some(file) => file,
                None => Arc::new(DataFile::of(self.table, &view)?),
            });
        }
        files.sort_by_key(|file| std::cmp::Reverse(file.newest()));
        let mut rows = 0;
        let few = |file: &&Arc<DataFile>| {
            rows += file.rows();
            rows <= self.known_rows
        };
        let learned = files.iter().take_while(few).count();
        for file in files[learned..].iter_mut().filter(|file| file.is_learned()) {
            *file = Arc::new(file.forgotten());
        }
        Ok(Self {
            table: self.table,
            url: self.url.clone(),
            store: Arc::clone(&self.store),
            metadata: Arc::clone(&self.metadata),
            newest_first: files,
            learned,
            known_rows: self.known_rows,
        })
    }

    /// The oldest files of a folder that have so many bytes together; at most all but the newest.
    pub(super) fn oldest(&self, folder: &[ScalarValue], enough: u64) -> Self {
        let of_folder = self.newest_first.iter().filter(|file| file.file.partition_values == folder);
        let older: Vec<&Arc<DataFile>> = of_folder.skip(1).collect();
        let mut bytes = 0;
        let wanted = |file: &&&Arc<DataFile>| {
            let is_wanted = bytes < enough;
            bytes += file.bytes();
            is_wanted
        };
        let oldest = older.iter().rev().take_while(wanted).map(|file| Arc::clone(file)).collect();
        Self {
            table: self.table,
            url: self.url.clone(),
            store: Arc::clone(&self.store),
            metadata: Arc::clone(&self.metadata),
            newest_first: oldest,
            learned: 0,
            known_rows: self.known_rows,
        }
    }

    /// Whether one of them is there.
    pub(super) fn has(&self, path: &str) -> bool {
        self.newest_first.iter().any(|file| file.path() == path)
    }

    /// How many bytes they have.
    pub(super) fn bytes(&self) -> u64 {
        self.newest_first.iter().map(|file| file.bytes()).sum()
    }

    /// Learns which ids the files have, so that nobody waits for it.
    pub(super) async fn learn_ids(&self) {
        for file in &self.newest_first[..self.learned] {
            file.learn_ids(self).await;
        }
    }
}

/// Only the engine of others deletes rows in a way that leaves them in their files.
fn unreadable(table: Table) -> StoreError {
    StoreError::Damaged {
        file: table.name().to_owned(),
        reason: "another program left deletion vectors in the table, which clew does not read; let it purge them"
            .to_owned(),
    }
}
