//! The sub-spans of an API server's filters.

use crate::trace::{InContext, Scoped, start};
use std::future::Future;

/// A filter that Kubernetes traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Who is it?
    Authentication,
    /// May they?
    Authorization,
    /// Is it written down?
    Audit,
    /// Is it their turn?
    PriorityAndFairness,
    /// For whom do they act?
    Impersonation,
}

impl Filter {
    /// The span's name, as in Kubernetes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authentication => "authentication",
            Self::Authorization => "authorization",
            Self::Audit => "audit",
            Self::PriorityAndFairness => "priorityandfairness",
            Self::Impersonation => "impersonation",
        }
    }
}

/// Runs a filter's work within a span of its own, below the request's.
///
/// ```
/// use clew_instrument::http::{Filter, filter};
/// # async fn ask_the_authorizer() -> bool { true }
/// # async fn handle() {
/// let allowed = filter(Filter::Authorization, ask_the_authorizer()).await;
/// # }
/// ```
pub async fn filter<F: Future>(filter: Filter, work: F) -> F::Output {
    let span = start(filter.name(), []);
    let work: Scoped<F> = work.in_span(&span);
    work.await
}
