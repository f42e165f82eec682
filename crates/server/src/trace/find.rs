//! Traces that have a span of some sort.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use clew_model::{Span, TraceId};
use clew_store::{Column, Comparison, Filter, Hits, Operand, Result, SpanQuery, Store, TimeRange};
use tokio::time::Instant;

use super::load::load_all;

/// Spans asked for at once: enough for the traces that are wanted, if each has a few.
const PAGES: std::ops::RangeInclusive<usize> = 256..=2_000;
const SPANS_A_TRACE: usize = 32;
/// Pages looked at before the search gives up.
const MAX_PAGES: usize = 20;
/// Traces looked at before the search gives up.
const MAX_TRACES: usize = 2_000;
/// Traces looked at together.
const BATCH: usize = 32;
/// How long a search looks for more; what it has found by then is the answer.
const TIME: Duration = Duration::from_secs(10);
/// Journeys that a question leaves out at most.
const MAX_LEFT_OUT: usize = 100;
/// The service of the spans that clew makes.
const SERVICE: &str = "kubernetes";

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
    let mut walk = Walk {
        store,
        search,
        keep,
        until: Instant::now() + TIME,
        seen: HashSet::new(),
        shown: HashSet::new(),
        journeys: BTreeSet::new(),
        found,
    };
    for part in [Part::Woven, Part::Attached, Part::Alone] {
        walk.pass(part).await?;
    }
    Ok(walk.found)
}

/// The spans that are looked at in one pass.
#[derive(Clone, Copy)]
enum Part {
    /// The spans that clew made.
    Woven,
    /// Native spans that belong to a journey.
    Attached,
    /// Native spans that belong to none, as far as the store knows.
    Alone,
}

struct Walk<'a, T, K> {
    store: &'a dyn Store,
    search: &'a Search,
    keep: K,
    until: Instant,
    /// Journeys and native traces that need not be looked at again.
    seen: HashSet<TraceId>,
    /// What was looked at, by the id under which it is shown.
    shown: HashSet<TraceId>,
    /// Those of them that are journeys.
    journeys: BTreeSet<TraceId>,
    found: Found<T>,
}

impl<T, K: FnMut(&[Span]) -> Option<T> + Send> Walk<'_, T, K> {
    /// What is asked for in a pass; journeys that were looked at are left out, or a large one would fill every page.
    fn filter(&self, part: Part) -> Filter {
        let is =
            |column: Column, text: &str| Filter::Compare(column.into(), Comparison::Equal, Operand::Text(text.into()));
        let has_journey = || Filter::Exists(Column::Journey.into());
        let mut all = match part {
            Part::Woven => vec![has_journey(), is(Column::Service, SERVICE)],
            Part::Attached => vec![has_journey()],
            Part::Alone => vec![Filter::Not(Box::new(has_journey()))],
        };
        let known: Vec<Filter> = self.journeys.iter().map(|id| is(Column::Journey, &id.to_string())).collect();
        if matches!(part, Part::Attached) && !known.is_empty() {
            all.push(Filter::Not(Box::new(Filter::Or(known))));
        }
        all.push(self.search.filter.clone());
        Filter::And(all)
    }

    async fn pass(&mut self, part: Part) -> Result<()> {
        let mut range = self.search.range;
        let page = self.search.limit.saturating_mul(SPANS_A_TRACE).clamp(*PAGES.start(), *PAGES.end());
        for number in 0..MAX_PAGES {
            if self.is_done() {
                return Ok(());
            }
            let query = SpanQuery { range, filter: self.filter(part), limit: page, woven: true };
            // Most searches keep what they find first; one that does not had better look at whole pages.
            let enough = if number == 0 { self.search.limit } else { usize::MAX };
            let Hits { hits, more } = self.store.hits(&query, enough).await?;
            let mut fresh = Vec::new();
            let mut listed = HashSet::new();
            for hit in hits.iter().filter(|hit| !self.seen.contains(&hit.trace)) {
                if listed.insert(hit.trace) {
                    fresh.push((hit.trace, hit.woven));
                }
            }
            for batch in fresh.chunks(BATCH.min(self.search.limit.max(1))) {
                if self.is_done() {
                    return Ok(());
                }
                self.look(batch).await?;
            }
            let Some(oldest) = hits.last().filter(|_| more).map(|hit| hit.start) else {
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
        let is_enough = self.found.looked >= MAX_TRACES || Instant::now() >= self.until;
        self.found.complete &= !is_enough;
        is_enough
    }

    /// Looks at traces, each with whether its id is that of a journey.
    async fn look(&mut self, batch: &[(TraceId, bool)]) -> Result<()> {
        // One of a batch before may have been the journey of one of these.
        let fresh = batch.iter().filter(|(id, _)| !self.seen.contains(id));
        let (journeys, natives): (Vec<_>, Vec<_>) = fresh.partition(|(_, is_journey)| *is_journey);
        let ids = |traces: Vec<&(TraceId, bool)>| traces.into_iter().map(|(id, _)| *id).collect::<Vec<_>>();
        let loaded = load_all(self.store, &ids(journeys), &ids(natives)).await?;
        self.seen.extend(batch.iter().map(|(id, _)| *id));
        for trace in loaded {
            let is_new = self.shown.insert(trace.id);
            self.seen.insert(trace.id);
            if trace.segments != [trace.id] && self.journeys.len() < MAX_LEFT_OUT {
                self.journeys.insert(trace.id);
            }
            self.seen.extend(&trace.segments);
            if !is_new || trace.spans.is_empty() || self.found.kept.len() >= self.search.limit {
                continue;
            }
            self.found.looked += 1;
            self.found.kept.extend((self.keep)(&trace.spans));
        }
        Ok(())
    }
}
