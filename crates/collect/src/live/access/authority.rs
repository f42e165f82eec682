//! What is asked about those who look.

use std::collections::BTreeMap;

use async_trait::async_trait;
use clew_store::Right;
use serde::{Deserialize, Serialize};

use crate::CollectError;

/// Knows whose a token is, and what its user may do.
#[async_trait]
pub trait Authority: Send + Sync + 'static {
    /// The cluster whose users it knows.
    fn cluster(&self) -> &str;
    /// Whose token it is; none if it is nobody's.
    async fn who(&self, token: &str) -> Result<Option<User>, CollectError>;
    /// Whether a user may.
    async fn may(&self, user: &User, question: &Question) -> Result<bool, CollectError>;
}

/// A user, as the API server names one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct User {
    /// The name, which the API calls by two names.
    #[serde(alias = "username", rename(serialize = "user"))]
    pub name: String,
    /// What tells users of the same name apart over time.
    pub uid: String,
    /// The groups.
    pub groups: Vec<String>,
    /// What else the authenticator said.
    pub extra: BTreeMap<String, Vec<String>>,
}

/// What a user may do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// Read everything, in every namespace.
    Everything,
    /// Read the objects of one kind in one namespace; in all of them, and in none, if it is empty.
    Read(Right),
    /// Read metrics.
    Metrics,
}
