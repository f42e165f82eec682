//! Which attributes the resources of a file have.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{DataType, Field, Int32Type, Schema};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::error::Result as DataFusionResult;
use futures_util::TryStreamExt as _;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::async_reader::ParquetRecordBatchStreamBuilder;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::Files;
use crate::lake::ask::attributes_of;

const COLUMN: &str = "resource";
/// A file with more attributes than this may have any.
const MOST: usize = 4096;

/// The attributes of all resources of a file.
#[derive(Debug, Default)]
pub(super) struct Resources {
    /// Hashes of keys and values; none if nothing is known.
    pairs: Option<FxHashSet<u64>>,
}

impl Resources {
    /// Reads them; a file that cannot be read may have any, and says what is wrong when its rows are read.
    pub(super) async fn read(files: &Files, file: &PartitionedFile) -> Self {
        Self { pairs: pairs(files, file).await.ok().filter(|pairs| pairs.len() <= MOST) }
    }

    /// Whether a resource may have this attribute.
    pub(super) fn may_have(&self, key: &str, value: &str) -> bool {
        self.pairs.as_ref().is_none_or(|pairs| pairs.contains(&hash(key, value)))
    }
}

async fn pairs(files: &Files, file: &PartitionedFile) -> DataFusionResult<FxHashSet<u64>> {
    let mut reader = files.reader(file)?;
    let footer = ArrowReaderMetadata::load_async(&mut reader, ArrowReaderOptions::new()).await?;
    // As a dictionary each resource is there once, instead of once for each of its spans.
    let options = ArrowReaderOptions::new().with_schema(Arc::new(with_dictionary(footer.schema())));
    let footer = ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), options)?;
    let builder = ParquetRecordBatchStreamBuilder::new_with_metadata(reader, footer);
    let only = ProjectionMask::columns(builder.parquet_schema(), [COLUMN]);
    let mut rows = builder.with_projection(only).build()?;
    let (mut known, mut pairs) = (FxHashSet::default(), FxHashSet::default());
    while let Some(batch) = rows.try_next().await? {
        let resources = batch.column(0).as_dictionary::<Int32Type>().values();
        for resource in resources.as_string::<i32>().iter().flatten() {
            if pairs.len() <= MOST && known.insert(resource.to_owned()) {
                pairs.extend(attributes_of(resource).iter().map(|(key, value)| hash(key, value)));
            }
        }
    }
    Ok(pairs)
}

fn with_dictionary(schema: &Schema) -> Schema {
    let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = |field: &Arc<Field>| match field.name().as_str() {
        COLUMN => Arc::new(field.as_ref().clone().with_data_type(kind.clone())),
        _ => Arc::clone(field),
    };
    Schema::new_with_metadata(schema.fields().iter().map(field).collect::<Vec<_>>(), schema.metadata().clone())
}

/// Texts that are the same number have the same hash, since they may be compared as numbers.
fn hash(key: &str, value: &str) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    key.hash(&mut hasher);
    match value.trim().parse::<f64>() {
        // There are two zeros.
        Ok(number) => (number + 0.0).to_bits().hash(&mut hasher),
        Err(_) => value.hash(&mut hasher),
    }
    hasher.finish()
}
