//! Traces by any id that leads to them.

use std::collections::{HashMap, HashSet};

use clew_model::{Span, TraceId};
use clew_store::{JourneyDetail, Result, Store};
use clew_weave::reparent;
use futures_util::future::try_join_all;

/// Native spans that are asked for at once; a batch with more is asked for trace by trace.
const MAX_SPANS: usize = 50_000;

/// A trace with everything in it.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The id under which it is shown.
    pub(crate) id: TraceId,
    /// Its spans; none if there is no such trace.
    pub(crate) spans: Vec<Span>,
    /// The native traces that are in it.
    pub(crate) segments: Vec<TraceId>,
}

/// The journey that an id names, or whose native trace it names; else the native trace itself.
///
/// The bare trace, on demand, is what came under that id, as it came.
pub(crate) async fn load(store: &dyn Store, id: TraceId, raw: bool) -> Result<Loaded> {
    if raw {
        let spans = store.trace(id).await?;
        if !spans.is_empty() {
            return Ok(native(id, spans));
        }
        let own = store.journey(id).await?.map(|detail| detail.spans).unwrap_or_default();
        return Ok(native(id, own));
    }
    match journey_of_any(store, id).await? {
        Some(detail) => Ok(journey(detail)),
        None => Ok(native(id, store.trace(id).await?)),
    }
}

/// The journey that an id names, or whose native trace it names.
pub(crate) async fn journey_of_any(store: &dyn Store, id: TraceId) -> Result<Option<JourneyDetail>> {
    // Asked at once, since whoever has the id of a native trace waits for both.
    match tokio::try_join!(store.journey(id), store.journey_of(id))? {
        (None, Some(of)) => store.journey(of).await,
        (found, _) => Ok(found),
    }
}

/// The journeys with these ids, and what native traces belong to: their journeys, or themselves. Each comes once.
pub(crate) async fn load_all(store: &dyn Store, journeys: &[TraceId], natives: &[TraceId]) -> Result<Vec<Loaded>> {
    let of: HashMap<TraceId, TraceId> = store.journeys_of(natives).await?.into_iter().rev().collect();
    let mut known = HashSet::new();
    let attached = natives.iter().filter_map(|native| of.get(native));
    let wanted: Vec<TraceId> = journeys.iter().chain(attached).copied().filter(|id| known.insert(*id)).collect();
    let details = try_join_all(wanted.iter().map(|id| store.journey(*id))).await?;
    let mut loaded: Vec<Loaded> = details.into_iter().flatten().map(journey).collect();
    // A journey that retired in the meantime leaves its native traces to themselves.
    let found: HashSet<TraceId> = loaded.iter().map(|journey| journey.id).collect();
    let alone = natives.iter().filter(|native| !of.get(*native).is_some_and(|of| found.contains(of)));
    loaded.extend(load_native(store, &alone.copied().collect::<Vec<_>>()).await?);
    Ok(loaded)
}

/// Several native traces with one question.
async fn load_native(store: &dyn Store, ids: &[TraceId]) -> Result<Vec<Loaded>> {
    let all = store.traces(ids, MAX_SPANS).await?;
    if all.len() < MAX_SPANS {
        let mut traces: HashMap<TraceId, Vec<Span>> = HashMap::new();
        for span in all {
            traces.entry(span.trace_id).or_default().push(span);
        }
        return Ok(ids.iter().filter_map(|id| Some(native(*id, traces.remove(id)?))).collect());
    }
    let traces = try_join_all(ids.iter().map(|id| store.trace(*id))).await?;
    Ok(ids.iter().zip(traces).map(|(id, spans)| native(*id, spans)).collect())
}

fn native(id: TraceId, spans: Vec<Span>) -> Loaded {
    Loaded { id, spans, segments: vec![id] }
}

fn journey(detail: JourneyDetail) -> Loaded {
    let mut spans = detail.spans;
    spans.extend(reparent(detail.native, &detail.edges));
    close_open(&mut spans);
    Loaded { id: detail.journey.journey, spans, segments: detail.journey.segments }
}

/// Lets what goes on last until the last that is known: viewers draw a span without an end as if it ended in 1970.
fn close_open(spans: &mut [Span]) {
    let last = spans.iter().map(|span| span.end.unwrap_or(span.start)).max().unwrap_or_default();
    for span in spans.iter_mut().filter(|span| span.end.is_none()) {
        span.end = Some(last);
        span.attributes.push("clew.open", true);
    }
}
