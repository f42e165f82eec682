//! Lines of a source into the weaver's facts. Secret values leave this place only as keyed hashes.

mod audit;
mod audit_head;
mod conditions;
mod convention;
mod endpoints;
mod event;
mod hash;

mod object;
pub mod otlp;
mod path;
mod raw;
mod revision;
mod watch;

pub(crate) use audit_head::may_be_write;
use clew_weave::fact::Fact;

use crate::capture::Source;
use crate::redact::Redactor;

/// Decodes lines into facts.
#[derive(Clone)]
pub struct Decoder {
    redactor: Redactor,
}

impl Decoder {
    /// A decoder that hashes secret values with this redactor.
    pub fn new(redactor: Redactor) -> Self {
        Self { redactor }
    }

    /// Adds the facts of one line, if it has any.
    pub fn line(&self, source: Source, bytes: &[u8], facts: &mut Vec<Fact>) -> Result<(), serde_json::Error> {
        match source {
            Source::Audit => audit::line(bytes, &self.redactor, facts),
            Source::Watch => watch::line(bytes, &self.redactor, facts),
            Source::Otlp => {
                let spans = otlp::spans(bytes)?;
                facts.extend(spans.iter().map(|span| Fact::Native(Box::new(otlp::native(span)))));
                Ok(())
            }
        }
    }
}
