//! Who may look, beside those who have clew's own token.

use std::sync::Arc;

use clew_collect::live::Connection;
use clew_collect::live::access::Reviews;
use clew_server::Users;
use clew_store::Store;

use crate::commands::up::{Settings, WhoLooks};

/// The users of the first cluster, if they are to be let in: a token must not be shown to any cluster but its own.
pub(super) fn users(
    settings: &Settings,
    connections: &[Connection],
    store: Arc<dyn Store>,
) -> anyhow::Result<Option<Users>> {
    match (settings.who_looks(!connections.is_empty())?, connections.first()) {
        (WhoLooks::Kubernetes, Some(first)) => Ok(Some(Users::new(Arc::new(Reviews::new(first.clone())), store))),
        _ => Ok(None),
    }
}
