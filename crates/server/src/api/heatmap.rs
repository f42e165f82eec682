//! How long journeys took, over time: one count for each range of durations and each bucket of time.

use axum::response::Response;
use clew_model::Time;
use clew_store::{
    Column, Comparison, Filter, JourneyQuery, Operand, Series, StatisticsOf, StatisticsQuery, Store, TimeRange,
};
use clew_weave::State as Standing;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Serialize;

use super::asked::Asked;
use super::extent::extent;
use super::journeys::json;
use crate::clock::{millis, now};
use crate::error::ApiError;
use crate::parameters::{BadParameter, FILTERS, Selection, duration};
use crate::viewed::Viewed;
use crate::window::Window;

/// The ends of the ranges, in milliseconds; what took longer is one more range.
const BOUNDS: [i64; 16] =
    [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000];
const COLUMNS: usize = 60;
const MAX_COLUMNS: usize = 500;
/// How many journeys are few.
const FEW: usize = 500;
/// How many ranges are asked for at once.
const AT_ONCE: usize = 4;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Heatmap {
    width_ms: f64,
    bounds: [i64; 16],
    columns: Vec<Bar>,
}

#[derive(Serialize)]
struct Bar {
    start: Time,
    counts: Vec<u64>,
}

/// The heatmap, with its empty columns.
pub(super) async fn show(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS, &["bucket"]])?;
    let now = now();
    let selection = Selection::read(&asked, now)?;
    let (from, to) = extent(&*app.store, &selection, now).await?;
    let window = match asked.one("bucket")? {
        None => Window::cut(from, to, COLUMNS),
        Some(text) => Window::of_width(from, to, duration("bucket", text)?),
    };
    if window.len() > MAX_COLUMNS {
        let problem = format!("cuts the time into more than {MAX_COLUMNS} columns: make it wider");
        return Err(BadParameter::new("bucket", problem).into());
    }
    if let Some(columns) = walked(&*app.store, &selection, &window).await? {
        return json(&Heatmap { width_ms: millis(window.width), bounds: BOUNDS, columns });
    }
    let queries = (0..=BOUNDS.len()).map(|place| query(&selection, &window, place));
    let answers = stream::iter(queries.map(|query| {
        let store = app.store.clone();
        async move { store.statistics(&query).await }
    }));
    let rows: Vec<Vec<Series>> = answers.buffered(AT_ONCE).try_collect().await?;
    json(&Heatmap { width_ms: millis(window.width), bounds: BOUNDS, columns: fill(&window, &rows) })
}

/// Few journeys are read and counted here, which is quicker than a question for each range; none if there are many.
async fn walked(store: &dyn Store, selection: &Selection, window: &Window) -> Result<Option<Vec<Bar>>, ApiError> {
    let range = TimeRange {
        from: Some(selection.range.from.unwrap_or(window.from)),
        to: Some(selection.range.to.unwrap_or(window.to)),
    };
    let query = JourneyQuery { range, filter: selection.filter.clone(), after: None, limit: FEW };
    let page = store.journeys(&query).await?;
    if page.next.is_some() {
        return Ok(None);
    }
    let mut columns = empty(window, BOUNDS.len() + 1);
    for row in page.items.iter().filter(|row| row.journey.state != Standing::Open) {
        let duration = row.journey.end.since(row.journey.start);
        let range = BOUNDS.iter().position(|bound| duration <= bound * 1_000_000).unwrap_or(BOUNDS.len());
        if let Some(column) = window.place(row.journey.start).and_then(|place| columns.get_mut(place)) {
            column.counts[range] += 1;
        }
    }
    Ok(Some(columns))
}

fn empty(window: &Window, ranges: usize) -> Vec<Bar> {
    window.starts().map(|start| Bar { start, counts: vec![0; ranges] }).collect()
}

/// Counts the journeys of one range of durations.
fn query(selection: &Selection, window: &Window, place: usize) -> StatisticsQuery {
    let bound = |comparison, place: usize| {
        Filter::Compare(Column::Duration.into(), comparison, Operand::Int(BOUNDS[place] * 1_000_000))
    };
    let mut filters = vec![selection.filter.clone()];
    if place > 0 {
        filters.push(bound(Comparison::Greater, place - 1));
    }
    if place < BOUNDS.len() {
        filters.push(bound(Comparison::LessOrEqual, place));
    }
    StatisticsQuery {
        of: StatisticsOf::Journeys,
        range: window.range(),
        filter: Filter::And(filters),
        by: Vec::new(),
        bucket: Some(window.bucket()),
        limit: 1,
    }
}

fn fill(window: &Window, rows: &[Vec<Series>]) -> Vec<Bar> {
    let mut columns = empty(window, rows.len());
    for (range, row) in rows.iter().enumerate() {
        for counted in row.iter().flat_map(|series| &series.buckets) {
            let column = window.place(counted.start).and_then(|place| columns.get_mut(place));
            if let Some(count) = column.and_then(|column| column.counts.get_mut(range)) {
                *count += counted.count;
            }
        }
    }
    columns
}
