//! Who may come in.

use crate::access::Users;

/// Who may come in: everybody, unless a token or users are named.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Whether the server listens on loopback only: then a page of another name cannot reach it through the browser.
    pub loopback: bool,
    /// Whether it is reached over TLS only: then so is a browser's cookie.
    pub tls: bool,
    /// Names under which the server is reached, besides loopback's own.
    pub hosts: Vec<String>,
    /// Clew's own token, which shows everything.
    pub token: Option<String>,
    /// The users of a cluster, who bring their own tokens and see what they may read there.
    pub users: Option<Users>,
}
