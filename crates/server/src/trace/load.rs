//! One trace by any id that leads to it.

use clew_model::{Span, TraceId};
use clew_store::{JourneyDetail, Result, Store};
use clew_weave::reparent;

/// A trace with everything in it.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// The id under which it is shown.
    pub(crate) id: Option<TraceId>,
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
    if let Some(detail) = store.journey(id).await? {
        return Ok(journey(detail));
    }
    belonging(store, id).await
}

/// The journey that a native trace belongs to, or the native trace itself.
pub(crate) async fn belonging(store: &dyn Store, native_id: TraceId) -> Result<Loaded> {
    if let Some(id) = store.journey_of(native_id).await?
        && let Some(detail) = store.journey(id).await?
    {
        return Ok(journey(detail));
    }
    Ok(native(native_id, store.trace(native_id).await?))
}

fn native(id: TraceId, spans: Vec<Span>) -> Loaded {
    Loaded { id: Some(id), spans, segments: vec![id] }
}

fn journey(detail: JourneyDetail) -> Loaded {
    let mut spans = detail.spans;
    spans.extend(reparent(&detail.native, &detail.edges));
    close_open(&mut spans);
    Loaded { id: Some(detail.journey.journey), spans, segments: detail.journey.segments }
}

/// Lets what goes on last until the last that is known: viewers draw a span without an end as if it ended in 1970.
fn close_open(spans: &mut [Span]) {
    let last = spans.iter().map(|span| span.end.unwrap_or(span.start)).max().unwrap_or_default();
    for span in spans.iter_mut().filter(|span| span.end.is_none()) {
        span.end = Some(last);
        span.attributes.push("clew.open", true);
    }
}
