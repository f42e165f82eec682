//! Spans for people: one line each, on standard error.

use super::exporter::{Batch, Exported, Exporter, from_fn};
use crate::trace::{SpanRecord, Status};
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// An exporter that prints to standard error, so that it does not mix with a command's output.
pub(super) fn console() -> Arc<dyn Exporter> {
    from_fn("console_span_exporter", |batch: &Batch| {
        let mut text = String::new();
        for span in &batch.spans {
            push(&mut text, span);
        }
        // A closed terminal is no reason to lose count of anything.
        let _ = std::io::stderr().write_all(text.as_bytes());
        Ok(Exported::default())
    })
}

/// `12.5ms  GET /api/v1/pods  trace=… span=… parent=…  key=value …`.
fn push(text: &mut String, span: &SpanRecord) {
    let took = span.end.duration_since(span.start).unwrap_or_default();
    let _ = write!(text, "{:>9}  {}", short(took), span.name);
    if let Status::Error(why) = &span.status {
        let _ = write!(text, "  FAILED {why}");
    }
    let _ = write!(text, "  trace={} span={}", span.context.trace_id(), span.context.span_id());
    if let Some(parent) = span.parent {
        let _ = write!(text, " parent={parent}");
    }
    for attribute in &span.attributes {
        let _ = write!(text, " {}={}", attribute.key, attribute.value);
    }
    text.push('\n');
    for event in &span.events {
        let at = event.time.duration_since(span.start).unwrap_or_default();
        let _ = write!(text, "{:>9}    + {}", short(at), event.name);
        for attribute in &event.attributes {
            let _ = write!(text, " {}={}", attribute.key, attribute.value);
        }
        text.push('\n');
    }
}

fn short(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2}s"),
        seconds if seconds >= 0.001 => format!("{:.1}ms", seconds * 1e3),
        seconds => format!("{:.0}us", seconds * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::attr;
    use crate::ids::{SpanId, TraceId};
    use crate::trace::{Event, Kind, SpanContext};
    use std::time::UNIX_EPOCH;

    #[test]
    fn a_span_is_one_line_and_an_event_one_below_it() {
        let at = |millis| UNIX_EPOCH + Duration::from_millis(millis);
        let span = SpanRecord {
            context: SpanContext::remote(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), true),
            parent: Some(SpanId::from_bytes([3; 8])),
            parent_is_remote: false,
            kind: Kind::Server,
            name: "GET /api/v1/pods".into(),
            start: at(0),
            end: at(1250),
            attributes: vec![attr("http.response.status_code", 500)],
            dropped_attributes: 0,
            events: vec![Event { name: "stored".into(), time: at(12), attributes: vec![attr("rows", 3)] }],
            dropped_events: 0,
            links: Vec::new(),
            dropped_links: 0,
            status: Status::Error("boom".into()),
        };
        let mut text = String::new();
        push(&mut text, &span);
        insta::assert_snapshot!(text, @r"
        1.25s  GET /api/v1/pods  FAILED boom  trace=01010101010101010101010101010101 span=0202020202020202 parent=0303030303030303 http.response.status_code=500
       12.0ms    + stored rows=3
        ");
    }
}
