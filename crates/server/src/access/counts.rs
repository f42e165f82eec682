//! What was asked about those who look.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::report::Counter;

/// What was asked about those who look, so far.
#[derive(Debug, Default)]
pub(crate) struct AccessCounts {
    pub(super) tokens_asked: AtomicU64,
    pub(super) tokens_known: AtomicU64,
    pub(super) tokens_refused: AtomicU64,
    pub(super) rights_asked: AtomicU64,
    pub(super) rights_known: AtomicU64,
    pub(super) unanswered: AtomicU64,
    pub(super) forgotten: AtomicU64,
    pub(super) untold: AtomicU64,
}

impl AccessCounts {
    /// As metrics show them.
    pub(crate) fn counters(&self) -> Vec<Counter> {
        let counter = |name, help, labels, value: &AtomicU64| Counter {
            name,
            help,
            labels,
            value: value.load(Ordering::Relaxed),
        };
        let of = |what: &str, from: &str| vec![("what", what.to_owned()), ("from", from.to_owned())];
        let answered = "Answers about those who look: who they are, what they may read.";
        vec![
            counter("access_answers", answered, of("token", "cluster"), &self.tokens_asked),
            counter("access_answers", answered, of("token", "memory"), &self.tokens_known),
            counter("access_answers", answered, of("right", "cluster"), &self.rights_asked),
            counter("access_answers", answered, of("right", "memory"), &self.rights_known),
            counter("access_tokens_refused", "Tokens that are nobody's.", Vec::new(), &self.tokens_refused),
            counter("access_unanswered", "Questions that the cluster did not answer.", Vec::new(), &self.unanswered),
            counter("access_forgotten", "Answers forgotten early, for want of room.", Vec::new(), &self.forgotten),
            counter("access_untold_rights", "Rights too many to ask for.", Vec::new(), &self.untold),
        ]
    }
}

/// One more.
pub(super) fn count(counter: &AtomicU64) {
    add(counter, 1);
}

/// So many more.
pub(super) fn add(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
