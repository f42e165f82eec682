//! Whose context is a parent: an incoming context of a caller who is not trusted only becomes a link.

use http::Extensions;
use std::sync::Arc;

/// Who a request is from, as an authentication that ran before the server layer found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The user's name.
    pub user: String,
    /// The user's groups.
    pub groups: Vec<String>,
}

/// Decides whose incoming context is a parent.
///
/// The default is that of Kubernetes: members of `system:masters` and `system:monitoring`; nobody who is not authenticated.
#[derive(Clone)]
pub struct Trust(Arc<dyn Fn(&Extensions) -> bool + Send + Sync>);

impl Default for Trust {
    fn default() -> Self {
        Self::groups(["system:masters", "system:monitoring"])
    }
}

impl Trust {
    /// Trusts the members of groups.
    pub fn groups<G: Into<String>>(groups: impl IntoIterator<Item = G>) -> Self {
        let groups: Vec<String> = groups.into_iter().map(Into::into).collect();
        Self::caller(move |caller| caller.groups.iter().any(|group| groups.contains(group)))
    }

    /// Trusts authenticated callers by any rule; a request without a [`Caller`] is never trusted.
    pub fn caller(rule: impl Fn(&Caller) -> bool + Send + Sync + 'static) -> Self {
        Self::request(move |extensions| extensions.get::<Caller>().is_some_and(&rule))
    }

    /// Trusts by anything that earlier layers left in the request's extensions.
    pub fn request(rule: impl Fn(&Extensions) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(rule))
    }

    /// Trusts everyone: for servers that only trusted callers can reach, such as a node's unix socket.
    pub fn everyone() -> Self {
        Self::request(|_| true)
    }

    pub(super) fn trusts(&self, extensions: &Extensions) -> bool {
        (self.0)(extensions)
    }
}
