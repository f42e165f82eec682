//! Where the tables are: a folder, or a bucket of an object store.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use deltalake_core::logstore::{
    LogStore, LogStoreFactory, ObjectStoreFactory, ObjectStoreRef, StorageConfig, default_logstore, logstore_factories,
    object_store_factories,
};
use deltalake_core::{DeltaResult, DeltaTableError, ensure_table_uri};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
use url::Url;

use super::fault::delta;
use super::options::Options;
use super::table::Table;
use crate::{Result, StoreError};

/// Where the tables are.
#[derive(Debug, Clone)]
pub(super) struct Place {
    root: String,
    storage: HashMap<String, String>,
}

impl Place {
    /// Takes it from the options; a folder is made.
    pub(super) fn of(options: &Options) -> Result<Self> {
        register();
        let root = match &options.tables {
            Some(root) => root.trim_end_matches('/').to_owned(),
            None => options.data.join("tables").display().to_string(),
        };
        if !root.contains("://") {
            std::fs::create_dir_all(&root).map_err(|error| crate::log::io("make", Path::new(&root), &error))?;
        }
        Ok(Self { root, storage: options.storage.iter().cloned().collect() })
    }

    /// In words.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// What the object store needs to know.
    pub(super) fn storage(&self) -> HashMap<String, String> {
        self.storage.clone()
    }

    /// The folder of a table.
    pub(super) fn table(&self, table: Table) -> Result<Url> {
        let path = format!("{}/{}", self.root, table.name());
        if !self.root.contains("://") {
            std::fs::create_dir_all(&path).map_err(|error| crate::log::io("make", Path::new(&path), &error))?;
        }
        ensure_table_uri(&path).map_err(|error| match error {
            DeltaTableError::InvalidTableLocation(place) => {
                StoreError::Query(format!("the tables cannot be at {place}: name a folder or s3://bucket/prefix"))
            }
            other => delta("open", table.name(), &other),
        })
    }
}

/// Lets Delta Lake use S3 through `object_store` alone: commits are conditional puts, so no lock table is needed.
fn register() {
    let schemes = ["s3://", "s3a://"].into_iter().filter_map(|scheme| Url::parse(scheme).ok());
    for scheme in schemes {
        object_store_factories().entry(scheme.clone()).or_insert_with(|| Arc::new(S3));
        logstore_factories().entry(scheme).or_insert_with(|| Arc::new(S3));
    }
}

#[derive(Debug, Clone, Copy)]
struct S3;

impl ObjectStoreFactory for S3 {
    fn parse_url_opts(
        &self,
        url: &Url,
        config: &StorageConfig,
    ) -> DeltaResult<(ObjectStoreRef, object_store::path::Path)> {
        let mut builder =
            AmazonS3Builder::from_env().with_url(url.to_string()).with_conditional_put(S3ConditionalPut::ETagMatch);
        for (key, value) in &config.raw {
            if let Ok(key) = key.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                builder = builder.with_config(key, value);
            }
        }
        let path = object_store::path::Path::from_url_path(url.path())?;
        Ok((Arc::new(builder.build()?), path))
    }
}

impl LogStoreFactory for S3 {
    fn with_options(
        &self,
        prefixed_store: ObjectStoreRef,
        root_store: ObjectStoreRef,
        location: &Url,
        options: &StorageConfig,
    ) -> DeltaResult<Arc<dyn LogStore>> {
        Ok(default_logstore(prefixed_store, root_store, location, options))
    }
}
