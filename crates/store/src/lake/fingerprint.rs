//! A checksum for each file of the tables, kept in the commit that adds it: Parquet has none of its own that is written.

use deltalake_core::kernel::Add;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};

use super::table::Table;
use crate::{Result, StoreError};

const TAG: &str = "clew.blake3";

/// Reads a file that was just written and notes its checksum.
pub(super) async fn fingerprint(store: &dyn ObjectStore, table: Table, add: &mut Add) -> Result<()> {
    let bytes = load(store, table, &add.path).await?;
    let hash = blake3::hash(&bytes).to_hex().to_string();
    add.tags.get_or_insert_default().insert(TAG.to_owned(), Some(hash));
    Ok(())
}

/// The checksum that was noted.
pub(super) fn fingerprint_of(add: &Add) -> Option<&str> {
    add.tags.as_ref()?.get(TAG)?.as_deref()
}

/// A whole file of a table.
pub(super) async fn load(store: &dyn ObjectStore, table: Table, path: &str) -> Result<bytes::Bytes> {
    let failed = |error: object_store::Error| StoreError::Io {
        doing: "read",
        what: format!("{}/{path}", table.name()),
        reason: error.to_string(),
    };
    let path = Path::parse(path).map_err(|error| failed(error.into()))?;
    store.get(&path).await.map_err(failed)?.bytes().await.map_err(failed)
}
