//! What replicas must agree on before one follows the other.

use serde::{Deserialize, Serialize};

use crate::redact::Redactor;

/// What a replica says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// The name of its store, which no other has.
    pub store: String,
    /// The name of the cluster: every id depends on it.
    pub cluster: String,
    /// What the key that hides secrets makes of a word that all know: the same only for the same key.
    pub key: String,
    /// Where its tables are.
    pub tables: String,
    /// The version of clew.
    pub version: String,
}

impl Agreement {
    /// What a replica with this store, cluster and key says of itself.
    pub fn new(store: &str, tables: &str, cluster: &str, redactor: &Redactor) -> Self {
        Self {
            store: store.to_owned(),
            cluster: cluster.to_owned(),
            key: redactor.hash(b"clew replica"),
            tables: tables.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Why another replica cannot be followed, and what to do; none if it can.
    pub(super) fn differs(&self, other: &Self) -> Option<String> {
        if self.cluster != other.cluster {
            return Some(format!(
                "it calls the cluster {:?} and this one {:?}: give both the same --cluster",
                other.cluster, self.cluster
            ));
        }
        if self.key != other.key {
            return Some("it hides secrets with another key: give both the same --key-file".to_owned());
        }
        // Two folders may have one path on two machines; a bucket is the same everywhere.
        let is_bucket = self.tables.contains("://") && !self.tables.starts_with("file:");
        if is_bucket && self.tables == other.tables {
            return Some(format!(
                "it writes to the same tables {}, and every journey would be there twice: give each its own --tables",
                self.tables
            ));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_share_a_name_and_a_key_and_no_tables() {
        let new = |store, tables, cluster, key| Agreement::new(store, tables, cluster, &Redactor::new([key; 32]));
        let one = new("1", "s3://b/one", "prod", 1);
        assert_eq!(one.differs(&new("2", "s3://b/two", "prod", 1)), None);
        assert!(one.differs(&new("2", "s3://b/two", "test", 1)).is_some_and(|why| why.contains("--cluster")));
        assert!(one.differs(&new("2", "s3://b/two", "prod", 2)).is_some_and(|why| why.contains("--key-file")));
        assert!(one.differs(&new("2", "s3://b/one", "prod", 1)).is_some_and(|why| why.contains("--tables")));
        let local = new("1", "file:///data/tables", "prod", 1);
        assert_eq!(local.differs(&new("2", "file:///data/tables", "prod", 1)), None);
    }
}
