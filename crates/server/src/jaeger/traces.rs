//! Traces that a search finds.

use clew_model::Span;
use clew_store::{Result, Store};

use super::query::TraceQuery;
use crate::trace::{Search, Summary, find};
use crate::traceql::TraceView;

/// Spans of one answer at most; traces that would exceed it are left out.
const MAX_SPANS: usize = 200_000;

/// The traces, newest first.
pub(super) async fn matching(store: &dyn Store, query: &TraceQuery) -> Result<Vec<Vec<Span>>> {
    let mut room = MAX_SPANS;
    let keep = |trace: &[Span]| {
        room = room.checked_sub(trace.len())?;
        Some(trace.to_vec())
    };
    let mut found = find(store, &search(query), keep).await?.kept;
    found.sort_by_key(|trace| std::cmp::Reverse(trace.iter().map(|span| span.start).min()));
    Ok(found)
}

/// The traces in a few words each, newest first.
pub(super) async fn summaries(store: &dyn Store, query: &TraceQuery) -> Result<Vec<Summary>> {
    let keep = |trace: &[Span]| Some(Summary::of(&TraceView::new(trace)));
    let mut found = find(store, &search(query), keep).await?.kept;
    found.sort_by_key(|summary| std::cmp::Reverse(summary.start));
    Ok(found)
}

fn search(query: &TraceQuery) -> Search {
    Search { filter: query.filter(), range: query.range, limit: query.limit }
}
