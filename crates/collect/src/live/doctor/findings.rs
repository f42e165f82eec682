//! What an examination found, before anybody judges it.

use clew_model::Time;

use crate::live::{SourceKind, SourceState, SourceStatus};

/// What an examination of one cluster found.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// The API server's version, such as `v1.34.4`; or why it does not answer.
    pub version: Option<Result<String, String>>,
    /// How far the API server's clock is ahead of ours, in nanoseconds.
    pub skew: Option<i64>,
    /// Which resources may be listed and watched.
    pub rights: Vec<Right>,
    /// What a clew that runs says, if one was asked.
    pub running: Option<Running>,
    /// Whether the webhook is configured, and whether a dry run met it.
    pub webhook_configured: Option<bool>,
    /// Whether an object that was made in a dry run came back with a context.
    pub webhook_stamps: Option<bool>,
    /// Whether the kubelet of a node sends spans.
    pub kubelet_tracing: Option<bool>,
    /// When all that was found out.
    pub now: Time,
}

/// What a clew that runs says of its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Running {
    /// When audit events last came.
    pub audit: Reach,
    /// When spans last came.
    pub spans: Reach,
    /// How many sources work.
    pub up: usize,
    /// Those that do not, each with its name and the reason.
    pub failing: Vec<String>,
    /// What was not kept, each with the reason and how often.
    pub lost: Vec<(String, u64)>,
}

impl Running {
    /// What these sources say; what was lost is counted elsewhere.
    pub fn of(sources: &[SourceStatus], lost: Vec<(String, u64)>) -> Self {
        let newest = |kind| sources.iter().filter(move |it| it.kind == kind).filter_map(|it| it.last_seen).max();
        let reach = |kind| newest(kind).map_or(Reach::Never, Reach::Seen);
        let failing = sources.iter().filter(|it| it.state == SourceState::Failed);
        Self {
            audit: reach(SourceKind::Audit),
            spans: reach(SourceKind::Otlp),
            up: sources.iter().filter(|it| it.state == SourceState::Up).count(),
            failing: failing.map(|it| format!("{}: {}", it.name, it.message)).collect(),
            lost,
        }
    }
}

/// Whether a source reaches clew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Nothing has come yet.
    #[default]
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
