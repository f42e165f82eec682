//! Two journeys by their ids, or two groups of them by their filters.

use axum::extract::State;
use axum::response::Response;
use clew_model::TraceId;
use clew_store::{JourneyQuery, JourneyRow, StatisticsOf, StatisticsQuery, Store};
use clew_weave::{Journey, State as Standing};
use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::asked::Asked;
use super::journey::{find, trace_id};
use super::journeys::json;
use crate::app::App;
use crate::clock::{millis, now};
use crate::compare::{Sample, compare};
use crate::error::ApiError;
use crate::parameters::{BadParameter, FILTERS, Parameters, Selection};
use crate::title::title;

/// How many journeys of a group are looked into, the newest.
const SAMPLED: usize = 50;
/// How many journeys are read at once.
const AT_ONCE: usize = 4;

/// The comparison.
pub(super) async fn show(State(app): State<App>, Asked(asked): Asked) -> Result<Response, ApiError> {
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
        durations: ended(&detail.journey).into_iter().collect(),
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
    sample.durations = rows.iter().filter_map(|row: &JourneyRow| ended(&row.journey)).collect();
    let ids: Vec<TraceId> = rows.iter().map(|row| row.journey.journey).collect();
    let details = stream::iter(ids.into_iter().map(|id| store.journey(id))).buffered(AT_ONCE);
    let details: Vec<_> = details.try_collect().await?;
    // A journey may have become part of another between the two questions.
    details.iter().flatten().for_each(|detail| sample.add(&detail.spans));
    Ok(sample)
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

fn ended(journey: &Journey) -> Option<f64> {
    (journey.state != Standing::Open).then(|| millis(journey.end.since(journey.start).max(0)))
}
