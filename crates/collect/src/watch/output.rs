//! Where the watches of a cluster go: into a capture, or live into the intake.

use std::time::SystemTime;

use super::resource::Resource;
use super::step::Outcome;

/// Whoever took the lines has ended: nothing more is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended;

/// One object version, as the API server sent it.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    /// When it was read.
    pub(crate) observed: SystemTime,
    /// `LISTED`, `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`.
    pub(crate) kind: &'a str,
    /// The object, as JSON.
    pub(crate) object: &'a str,
}

/// Takes what all watches of one cluster see.
pub(crate) trait Output: Clone + Send + Sync + 'static {
    /// Takes what one of them sees.
    type One: OutputOfOne;

    /// The output of one watch.
    fn of(&self, resource: &Resource) -> Self::One;

    /// Told what the cluster has now, each time that it was asked.
    fn discovered(&self, found: &[Resource]) -> impl Future<Output = Result<(), Ended>> + Send;

    /// Told how many resources are watched.
    fn watching(&self, resources: usize);

    /// Told when the cluster does not answer, and why.
    fn unreachable(&self, why: &str);

    /// Told once, when all resources that were found first are watched or cannot be.
    fn has_begun(&self, resources: usize);
}

/// Takes what the watch of one resource sees.
pub(crate) trait OutputOfOne: Send + Sync {
    /// The version from which the watch can go on, where one is known from before.
    fn resume(&self) -> impl Future<Output = Option<String>> + Send;

    /// Told when a list begins.
    fn list_begins(&mut self) -> impl Future<Output = Result<(), Ended>> + Send;

    /// Takes an object version.
    fn keep(&mut self, seen: Seen<'_>) -> impl Future<Output = Result<(), Ended>> + Send;

    /// Told when everything up to a version was seen; a list has ended if it is one's first.
    fn reached(&mut self, version: &str, list_ended: bool) -> impl Future<Output = Result<(), Ended>> + Send;

    /// Counts lines that could not be read.
    fn count_bad(&self, lines: u64);

    /// Told what came of each request.
    fn outcome(&mut self, outcome: &Outcome);
}
