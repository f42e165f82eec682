//! A trace in the JSON of Jaeger's page, written straight from the spans: as a tree of values a large one takes longer
//! to build than to find. What is large is written by several threads.

use std::collections::HashMap;
use std::sync::Arc;

use clew_model::{Attributes, Span};

use crate::pieces::Pieces;
use crate::writer::Writer;

/// The trace that these spans are, as JSON in pieces.
pub(super) fn trace(spans: Vec<Span>) -> serde_json::Result<Pieces> {
    let mut known = Processes::default();
    let processes: Vec<usize> = spans.iter().enumerate().map(|(place, span)| known.number(place, span)).collect();
    let [mut pieces, after] = around(&spans, &known)?;
    let spans: Vec<(Span, usize)> = spans.into_iter().zip(processes).collect();
    pieces.append(Pieces::list(spans, |(span, process), out| out.span(span, *process))?);
    pieces.append(after);
    Ok(pieces)
}

/// What comes before the spans, and what after them.
fn around(spans: &[Span], processes: &Processes) -> serde_json::Result<[Pieces; 2]> {
    let mut before = Writer::default();
    before.put("{\"traceID\":");
    before.value(&spans.first().map(|span| span.trace_id))?;
    before.put(",\"spans\":[");
    let mut after = Writer::default();
    after.put("],\"processes\":{");
    for ((_, first), number) in processes.known.iter().zip(1..) {
        after.next();
        after.text(&format!("p{number}"))?;
        after.put(":");
        after.process(&spans[*first])?;
    }
    after.put("},\"warnings\":null}");
    Ok([before.into_bytes().into(), after.into_bytes().into()])
}

/// Who made the spans.
#[derive(Default)]
struct Processes {
    /// The attributes of each, and its first span.
    known: Vec<(Arc<Attributes>, usize)>,
    /// Where each list of attributes lies that came, and the number of its process: the same may come several times.
    seen: HashMap<usize, usize>,
}

impl Processes {
    /// The number of the process of the span at this place, from one on.
    fn number(&mut self, at: usize, span: &Span) -> usize {
        let lies = Arc::as_ptr(&span.resource).addr();
        if let Some(number) = self.seen.get(&lies) {
            return *number;
        }
        let place = self.known.iter().position(|(known, _)| *known == span.resource);
        let number = 1 + place.unwrap_or_else(|| {
            self.known.push((Arc::clone(&span.resource), at));
            self.known.len() - 1
        });
        self.seen.insert(lies, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use clew_model::{SpanId, Time, TraceId, Value};
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::pieces::tests::read;
    use crate::trace::service_of;

    fn spans(count: u8, of: &Arc<Attributes>) -> impl Iterator<Item = Span> {
        let id = TraceId::from_bytes([1; 16]);
        let span = move |number| Span::new(id, SpanId::from_bytes([number; 8]), "work", Time::from_nanos(1_000));
        let of = Arc::clone(of);
        (1..=count).map(move |number| Span { resource: Arc::clone(&of), ..span(number) })
    }

    #[tokio::test]
    async fn a_trace_that_several_tasks_write_has_every_span_in_its_order_and_one_process_for_equal_resources() {
        let resource = |name: &str| Arc::new(Attributes::from_iter([("service.name".into(), Value::from(name))]));
        let mut all: Vec<Span> = Vec::new();
        for _ in 0..4 {
            // As batches of a store: equal attributes that lie in different places.
            all.extend(spans(200, &resource("a")).chain(spans(100, &resource("b"))));
        }
        assert!(all.len() > 1024, "more than two tasks");
        let expected: Vec<(String, &str)> = all
            .iter()
            .map(|span| (span.span_id.to_string(), if service_of(span) == "a" { "p1" } else { "p2" }))
            .collect();
        let (json, _) = read(trace(all.clone()).unwrap()).await;
        let text_of = |value: &Json| value.as_str().unwrap().to_owned();
        let written = json["spans"].as_array().unwrap().iter();
        let written: Vec<_> = written.map(|span| (text_of(&span["spanID"]), text_of(&span["processID"]))).collect();
        assert!(
            written
                .iter()
                .map(|(id, process)| (id, process.as_str()))
                .eq(expected.iter().map(|(id, process)| (id, *process)))
        );
        assert_eq!(json["processes"].as_object().unwrap().len(), 2);
        assert_eq!((&json["processes"]["p2"]["serviceName"], &json["warnings"]), (&json!("b"), &Json::Null));
    }
}
