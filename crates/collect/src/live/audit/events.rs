//! Audit events into facts, each once.

use clew_weave::fact::Fact;
use rustc_hash::FxHashSet;

use super::duplicates::{Duplicates, EventKey};
use crate::capture::Source;
use crate::decode::{Decoder, may_be_write};
use crate::redact::Redactor;

/// What events are made into facts with.
pub(super) struct Events {
    redactor: Redactor,
    decoder: Decoder,
    duplicates: Duplicates,
}

/// What a batch of events came to.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) facts: Vec<Fact>,
    /// The events that are told by the facts, to be remembered once they are durable.
    pub(super) keys: FxHashSet<EventKey>,
    /// Lines that could not be read or redacted.
    pub(super) bad: u64,
}

impl Events {
    pub(super) fn new(redactor: Redactor) -> Self {
        Self { decoder: Decoder::new(redactor.clone()), redactor, duplicates: Duplicates::default() }
    }

    /// Adds the facts of one event, unless it came before.
    pub(super) fn add(&self, line: &str, batch: &mut Batch) {
        // Most of a log is reads: nothing follows from them, and they need not be redacted.
        if !may_be_write(line.as_bytes()) {
            return;
        }
        let key = EventKey::of(line);
        if key.is_some_and(|key| self.duplicates.has(key) || batch.keys.contains(&key)) {
            return;
        }
        let redacted = self.redactor.audit_event(line).ok();
        let decoded =
            redacted.is_some_and(|line| self.decoder.line(Source::Audit, line.as_bytes(), &mut batch.facts).is_ok());
        if decoded {
            batch.keys.extend(key);
        } else {
            batch.bad += 1;
        }
    }

    /// Told when a batch is durable.
    pub(super) fn are_durable(&self, keys: FxHashSet<EventKey>) {
        self.duplicates.add(keys);
    }
}
