//! Traces that have a span of some sort.

use std::collections::HashSet;

use clew_model::{Span, TraceId};
use clew_store::{Column, Comparison, Filter, Operand, Result, SpanQuery, Store, TimeRange};

use super::load::{belonging, load};

/// Spans asked for at once.
const PAGE: usize = 2_000;
/// Pages looked at before the search gives up.
const MAX_PAGES: usize = 20;
/// Traces looked at before the search gives up.
const MAX_TRACES: usize = 2_000;
/// The scope of the spans that clew makes.
const WOVEN: &str = "clew";

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// Every trace that is meant has a span for which this holds.
    pub(crate) filter: Filter,
    /// When that span began.
    pub(crate) range: TimeRange,
    /// How many traces are enough.
    pub(crate) limit: usize,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Found<T> {
    /// What was kept of each trace.
    pub(crate) kept: Vec<T>,
    /// How many traces were looked at.
    pub(crate) looked: usize,
    /// Whether all was looked at that could be meant, or enough was found.
    pub(crate) complete: bool,
}

/// Traces of which `keep` keeps something: journeys by their own spans, then by native ones, then native traces that
/// joined none; each newest first.
///
/// Most native traces are the polling of a cluster at rest; without this order they would be all that anyone sees.
pub(crate) async fn find<T>(
    store: &dyn Store,
    search: &Search,
    keep: impl FnMut(&[Span]) -> Option<T> + Send,
) -> Result<Found<T>> {
    let found = Found { kept: Vec::new(), looked: 0, complete: true };
    let mut walk = Walk { store, search, keep, seen: HashSet::new(), found };
    let woven = Filter::Compare(Column::Service.into(), Comparison::Equal, Operand::Text("kubernetes".into()));
    let attached = Filter::Exists(Column::Journey.into());
    for first in [Some(woven), Some(attached), None] {
        let filter = match first {
            Some(first) => Filter::And(vec![first, search.filter.clone()]),
            None => search.filter.clone(),
        };
        walk.pass(&filter).await?;
        if walk.is_done() {
            break;
        }
    }
    Ok(walk.found)
}

struct Walk<'a, T, K> {
    store: &'a dyn Store,
    search: &'a Search,
    keep: K,
    /// Journeys and native traces that need not be looked at again.
    seen: HashSet<TraceId>,
    found: Found<T>,
}

impl<T, K: FnMut(&[Span]) -> Option<T> + Send> Walk<'_, T, K> {
    async fn pass(&mut self, filter: &Filter) -> Result<()> {
        let mut range = self.search.range;
        for _ in 0..MAX_PAGES {
            let query = SpanQuery { range, filter: filter.clone(), limit: PAGE, woven: true };
            let spans = self.store.spans(&query).await?;
            for span in &spans {
                if self.is_done() {
                    return Ok(());
                }
                self.look(span).await?;
            }
            let Some(oldest) = spans.last().filter(|_| spans.len() >= PAGE).map(|span| span.start) else {
                return Ok(());
            };
            // What began with the oldest may have been cut off; a page of nothing else must not come twice.
            let next = oldest.saturating_add(1);
            range.to = Some(if range.to.is_some_and(|to| to <= next) { oldest } else { next });
        }
        self.found.complete = false;
        Ok(())
    }

    fn is_done(&mut self) -> bool {
        if self.found.kept.len() >= self.search.limit {
            return true;
        }
        let too_many = self.found.looked >= MAX_TRACES;
        self.found.complete &= !too_many;
        too_many
    }

    async fn look(&mut self, span: &Span) -> Result<()> {
        if !self.seen.insert(span.trace_id) {
            return Ok(());
        }
        let is_woven = &*span.scope == WOVEN;
        let loaded = if is_woven {
            load(self.store, span.trace_id, false).await?
        } else {
            belonging(self.store, span.trace_id).await?
        };
        self.seen.extend(&loaded.segments);
        let is_new = loaded.id.is_none_or(|id| id == span.trace_id || self.seen.insert(id));
        if !is_new || loaded.spans.is_empty() {
            return Ok(());
        }
        self.found.looked += 1;
        self.found.kept.extend((self.keep)(&loaded.spans));
        Ok(())
    }
}
