//! Who may come in.

/// Who may come in.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Whether the server listens on loopback only: then a page of another name cannot reach it through the browser.
    pub loopback: bool,
    /// Names under which the server is reached, besides loopback's own.
    pub hosts: Vec<String>,
    /// The token that every request but those for health must bring.
    pub token: Option<String>,
}
