//! The lines of a capture: audit, watch, OTLP.

use clew_collect::capture::Source;
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;

const REDACTOR: Redactor = Redactor::new([7; 32]);

/// An audit line is decoded or refused; redacted, it is still an event, and tells nothing that it did not before. It may tell
/// less: an object in which a name stands twice is hidden whole.
pub fn audit_line(data: &[u8]) {
    let before = facts(Source::Audit, data);
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(redacted) = REDACTOR.audit_event(text) else {
        return;
    };
    let after = facts(Source::Audit, redacted.as_bytes());
    assert_eq!(before.is_some(), after.is_some(), "redaction changed whether the line is an event");
    assert!(after <= before, "redaction made facts: {before:?} before, {after:?} after");
}

/// A watch line is decoded or refused.
pub fn watch_line(data: &[u8]) {
    facts(Source::Watch, data);
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for resource in ["secrets", "pods"] {
        if let Ok(redacted) = REDACTOR.object(resource, text) {
            REDACTOR.object(resource, &redacted).expect("what was redacted is still an object");
        }
    }
}

/// An OTLP line is decoded or refused.
pub fn otlp_line(data: &[u8]) {
    facts(Source::Otlp, data);
}

/// How many facts the line gave; none if it was refused.
fn facts(source: Source, data: &[u8]) -> Option<usize> {
    let mut facts = Vec::new();
    Decoder::new(REDACTOR).line(source, data, &mut facts).ok().map(|()| facts.len())
}
