//! The books: where every ended span is. What comes in equals what went out plus what is here, at every moment.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most kinds of loss that are told apart; the rest is `other`.
const MAX_REASONS: usize = 32;

/// Where the ended, sampled spans of a component are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ledger {
    /// Spans that ended.
    pub ended: u64,
    /// Spans that an earlier run of the process left in the spool.
    pub recovered: u64,
    /// Spans that wait in memory.
    pub waiting: u64,
    /// Spans that an exporter is busy with, retries included.
    pub in_flight: u64,
    /// Spans that wait on disk.
    pub spooled: u64,
    /// Spans that a collector took.
    pub exported: u64,
    /// Spans that are lost, by reason (`queue_full`, `already_shutdown`, `rejected`, or the last error's type).
    pub dropped: BTreeMap<Cow<'static, str>, u64>,
    /// How often an export failed and was tried again.
    pub retries: u64,
}

impl Ledger {
    /// Spans that are neither exported nor lost yet.
    pub fn queued(&self) -> u64 {
        self.waiting + self.in_flight + self.spooled
    }

    /// All lost spans.
    pub fn dropped_total(&self) -> u64 {
        self.dropped.values().sum()
    }

    /// Whether the books add up; false would be a fault of this crate.
    pub fn balances(&self) -> bool {
        self.ended + self.recovered == self.exported + self.dropped_total() + self.queued()
    }

    pub(super) fn drop_spans(&mut self, reason: Cow<'static, str>, count: u64) {
        if count == 0 {
            return;
        }
        let known = self.dropped.contains_key(&reason) || self.dropped.len() < MAX_REASONS;
        let reason = if known { reason } else { Cow::Borrowed("other") };
        *self.dropped.entry(reason).or_default() += count;
    }
}
