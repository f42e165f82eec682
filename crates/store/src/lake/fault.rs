//! The errors of the engines below, in our words.

use datafusion::error::DataFusionError;
use deltalake_core::DeltaTableError;

use crate::StoreError;

/// Columns that do not fit together: a fault of ours.
pub(super) fn broken(error: &impl std::fmt::Display) -> StoreError {
    StoreError::Io { doing: "make", what: "rows".to_owned(), reason: error.to_string() }
}

/// A table that holds what nobody wrote.
pub(super) fn damaged(table: &str, reason: impl Into<String>) -> StoreError {
    StoreError::Damaged { file: table.to_owned(), reason: reason.into() }
}

/// What a table said when it was written or opened.
pub(super) fn delta(doing: &'static str, table: &str, error: &DeltaTableError) -> StoreError {
    let reason = chain(error);
    if reason.contains("No space left") || reason.contains("os error 28") {
        let retry_after = std::time::Duration::from_secs(10);
        return StoreError::Full { what: format!("no space left for table {table}"), retry_after };
    }
    StoreError::Io { doing, what: format!("table {table}"), reason }
}

/// What a query said.
pub(super) fn query(error: &DataFusionError) -> StoreError {
    match error.find_root() {
        DataFusionError::ResourcesExhausted(reason) => StoreError::Limit(format!("memory ({reason})")),
        DataFusionError::SQL(error, _) => StoreError::Query(error.to_string()),
        DataFusionError::Plan(reason) => StoreError::Query(reason.clone()),
        DataFusionError::SchemaError(error, _) => StoreError::Query(error.to_string()),
        DataFusionError::ObjectStore(error) => {
            StoreError::Io { doing: "read", what: "the tables".to_owned(), reason: error.to_string() }
        }
        DataFusionError::ParquetError(error) => damaged("a file of the tables", error.to_string()),
        other => StoreError::Query(other.to_string()),
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = inner.source();
    }
    text
}
