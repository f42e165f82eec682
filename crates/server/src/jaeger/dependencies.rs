//! Which service calls which.

use std::collections::{BTreeMap, HashMap, HashSet};

use clew_model::{Span, SpanId, TraceId};
use clew_store::{JourneyQuery, Result, SpanQuery, Store, TimeRange};

use crate::trace::{load_all, service_of};

/// Journeys looked at, the newest of the time.
const MAX_JOURNEYS: usize = 100;
/// Journeys looked at together.
const BATCH: usize = 10;
/// Native spans looked at beside them, the newest of the time.
const MAX_SPANS: usize = 50_000;

/// How often one service called another: caller, callee, calls.
pub(super) type Calls = Vec<(String, String, u64)>;

/// The calls in some time: those of journeys, whose parts hang together only here, and of native traces besides.
pub(super) async fn dependencies(store: &dyn Store, range: TimeRange) -> Result<Calls> {
    let mut calls: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut seen: HashSet<TraceId> = HashSet::new();
    let query = JourneyQuery { range, limit: MAX_JOURNEYS, ..JourneyQuery::default() };
    let journeys: Vec<TraceId> = store.journeys(&query).await?.items.iter().map(|row| row.journey.journey).collect();
    for batch in journeys.chunks(BATCH) {
        for loaded in load_all(store, batch, &[]).await? {
            seen.extend(&loaded.segments);
            count(&loaded.spans, &mut calls);
        }
    }
    let query = SpanQuery { range, limit: MAX_SPANS, woven: false, ..SpanQuery::default() };
    let mut rest = store.spans(&query).await?;
    rest.retain(|span| !seen.contains(&span.trace_id));
    count(&rest, &mut calls);
    Ok(calls.into_iter().map(|((caller, callee), calls)| (caller, callee, calls)).collect())
}

fn count(spans: &[Span], calls: &mut BTreeMap<(String, String), u64>) {
    let services: HashMap<(TraceId, SpanId), &str> =
        spans.iter().map(|span| ((span.trace_id, span.span_id), service_of(span))).collect();
    for span in spans {
        let above = span.parent.and_then(|parent| services.get(&(span.trace_id, parent)));
        let own = service_of(span);
        if let Some(above) = above.filter(|above| **above != own) {
            *calls.entry(((*above).to_owned(), own.to_owned())).or_default() += 1;
        }
    }
}
