//! What an examination found, before anybody judges it.

use clew_model::Time;

/// What an examination of one cluster found.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// The API server's version, such as `v1.34.4`; or why it does not answer.
    pub version: Option<Result<String, String>>,
    /// How far the API server's clock is ahead of ours, in nanoseconds.
    pub skew: Option<i64>,
    /// Which resources may be listed and watched.
    pub rights: Vec<Right>,
    /// When audit events last came.
    pub audit: Reach,
    /// When spans last came.
    pub spans: Reach,
    /// Whether the webhook is configured, and whether a dry run met it.
    pub webhook_configured: Option<bool>,
    /// Whether an object that was made in a dry run came back with a context.
    pub webhook_stamps: Option<bool>,
    /// Whether the kubelet of a node sends spans.
    pub kubelet_tracing: Option<bool>,
    /// When all that was found out.
    pub now: Time,
}

/// Whether a source reaches clew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// No clew that runs was asked.
    #[default]
    Unasked,
    /// Nothing has come yet.
    Never,
    /// Something came then.
    Seen(Time),
}

/// What may be done with a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    /// `pods`, `deployments.apps`, with the namespace if only one is watched.
    pub resource: String,
    /// Whether it may be watched.
    pub allowed: Allowed,
}

/// Whether something is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// The API server did not say.
    Unknown,
}
