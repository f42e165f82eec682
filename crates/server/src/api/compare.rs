//! Two journeys by their ids, or two groups of them by their filters.

use std::collections::HashSet;

use axum::response::Response;
use clew_model::{Span, TraceId};
use clew_store::{
    Column, Comparison, Filter, JourneyQuery, JourneyRow, Operand, SpanQuery, StatisticsOf, StatisticsQuery, Store,
    TimeRange,
};
use clew_weave::{Journey, State as Standing};

use super::asked::Asked;
use super::journey::{find, trace_id};
use super::journeys::json;
use crate::clock::{millis, now};
use crate::compare::{Sample, compare};
use crate::error::ApiError;
use crate::parameters::{BadParameter, FILTERS, Parameters, Selection};
use crate::title::title;
use crate::viewed::Viewed;

/// How many journeys of a group are looked into, the newest.
const SAMPLED: usize = 50;
/// How many spans of a group are read.
const SPANS: usize = 50_000;
const MINUTE: i64 = 60_000_000_000;

/// The comparison.
pub(super) async fn show(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    let store = &*app.store;
    if let (Some(a), Some(b)) = (asked.one("a")?, asked.one("b")?) {
        asked.only(&[&["a", "b"]])?;
        return json(&compare(&single(store, a).await?, &single(store, b).await?));
    }
    let (a, b) = (asked.under("a."), asked.under("b."));
    if a.is_empty() || b.is_empty() {
        let problem = "are missing: write two ids, or filters of two groups such as a.namespace=shop&b.namespace=store";
        return Err(BadParameter::new("a, b", problem).into());
    }
    json(&compare(&group(store, &a, "a").await?, &group(store, &b, "b").await?))
}

async fn single(store: &dyn Store, id: &str) -> Result<Sample, ApiError> {
    let detail = find(store, trace_id(id)?).await?;
    let mut sample = Sample {
        label: title(&detail.journey),
        count: 1,
        durations: converged(&detail.journey).into_iter().collect(),
        ..Sample::default()
    };
    sample.add(&detail.spans);
    Ok(sample)
}

async fn group(store: &dyn Store, parameters: &Parameters, side: &str) -> Result<Sample, ApiError> {
    let named = |error: BadParameter| BadParameter::new(format!("{side}.{}", error.name), error.problem);
    parameters.only(&[FILTERS]).map_err(named)?;
    let selection = Selection::read(parameters, now()).map_err(named)?;
    let mut sample =
        Sample { label: parameters.to_string(), count: count(store, &selection).await?, ..Sample::default() };
    let query = JourneyQuery { range: selection.range, filter: selection.filter, after: None, limit: SAMPLED };
    let rows = store.journeys(&query).await?.items;
    sample.durations = rows.iter().filter_map(|row: &JourneyRow| converged(&row.journey)).collect();
    let mut spans = spans(store, &rows).await?;
    spans.sort_by_key(|span| span.trace_id);
    spans.chunk_by(|one, other| one.trace_id == other.trace_id).for_each(|own| sample.add(own));
    Ok(sample)
}

/// The spans that clew made for some journeys: one question rather than one for each.
async fn spans(store: &dyn Store, rows: &[JourneyRow]) -> Result<Vec<Span>, ApiError> {
    let ids: HashSet<TraceId> = rows.iter().map(|row| row.journey.journey).collect();
    let is =
        |id: &TraceId| Filter::Compare(Column::TraceId.into(), Comparison::Equal, Operand::Text(id.to_string().into()));
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let query = SpanQuery {
        // Nothing of a journey begins before the change that began it, but for clocks that disagree.
        range: TimeRange { from: rows.iter().map(|row| row.journey.start.saturating_sub(MINUTE)).min(), to: None },
        filter: Filter::Or(ids.iter().map(is).collect()),
        limit: SPANS,
        woven: true,
    };
    let spans = store.spans(&query).await?;
    Ok(spans.into_iter().filter(|span| ids.contains(&span.trace_id)).collect())
}

async fn count(store: &dyn Store, selection: &Selection) -> Result<u64, ApiError> {
    let query = StatisticsQuery {
        of: StatisticsOf::Journeys,
        range: selection.range,
        filter: selection.filter.clone(),
        by: Vec::new(),
        bucket: None,
        limit: 1,
    };
    let series = store.statistics(&query).await?;
    Ok(series.iter().flat_map(|series| &series.buckets).map(|bucket| bucket.count).sum())
}

/// How long it took to converge; what failed or is stuck took no time that could be compared.
fn converged(journey: &Journey) -> Option<f64> {
    (journey.state == Standing::Converged).then(|| millis(journey.end.since(journey.start).max(0)))
}
