//! `TraceQL`, as anyone may send it.

use clew_model::{Span, SpanId, Time, TraceId};
use clew_server::traceql::{Evaluator, TraceView, candidates, parse};

/// What is read survives being written, and any query can be asked of a trace.
pub fn traceql(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let query = match parse(text) {
        Ok(query) => query,
        Err(error) => {
            assert!(error.position <= text.chars().count() + 1);
            return;
        }
    };
    let written = query.to_string();
    // Brackets are added for clarity, so that only what is short enough must survive.
    if written.len() <= 8192 {
        match parse(&written) {
            Ok(again) => assert_eq!(again, query, "{written}"),
            Err(error) => assert!(error.message.contains("nested deeper"), "{written}: {error}"),
        }
    }
    drop(candidates(&query));
    let span = |id: u8| Span::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([id; 8]), "n", Time::from_nanos(1));
    let mut spans = [span(1), span(2), span(3)];
    spans[1].parent = Some(spans[0].span_id);
    spans[2].parent = Some(spans[2].span_id);
    let view = TraceView::new(&spans);
    for group in Evaluator::new(&query).groups(&view) {
        assert!(!group.spans.is_empty() && group.spans.iter().all(|place| *place < spans.len()));
    }
}
