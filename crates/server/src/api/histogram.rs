//! How many journeys began when, by how they stand.

use axum::response::Response;
use clew_model::Time;
use clew_store::{Column, Series, StatisticsOf, StatisticsQuery};
use serde::Serialize;

use super::asked::Asked;
use super::extent::extent;
use super::journeys::json;
use crate::clock::{millis, now};
use crate::error::ApiError;
use crate::parameters::{FILTERS, Selection};
use crate::viewed::Viewed;
use crate::window::Window;

const BUCKETS: usize = 60;
const MAX_BUCKETS: usize = 1000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Histogram {
    from: Time,
    to: Time,
    width_ms: f64,
    buckets: Vec<Bucket>,
}

#[derive(Debug, Serialize, PartialEq)]
struct Bucket {
    start: Time,
    open: u64,
    converged: u64,
    failed: u64,
    stuck: u64,
}

/// The histogram, with its empty buckets.
pub(super) async fn show(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS, &["buckets"]])?;
    let now = now();
    let selection = Selection::read(&asked, now)?;
    let buckets = asked.number("buckets", BUCKETS, MAX_BUCKETS)?;
    let (from, to) = extent(&*app.store, &selection, now).await?;
    let window = Window::cut(from, to, buckets);
    let query = StatisticsQuery {
        of: StatisticsOf::Journeys,
        range: clew_store::TimeRange {
            from: Some(selection.range.from.unwrap_or(window.from)),
            to: Some(selection.range.to.unwrap_or(window.to)),
        },
        filter: selection.filter,
        by: vec![Column::State.into()],
        bucket: Some(window.bucket()),
        limit: 8,
    };
    let series = app.store.statistics(&query).await?;
    json(&Histogram {
        from: window.from,
        to: window.to,
        width_ms: millis(window.width),
        buckets: fill(&window, &series),
    })
}

fn fill(window: &Window, series: &[Series]) -> Vec<Bucket> {
    let empty = |start| Bucket { start, open: 0, converged: 0, failed: 0, stuck: 0 };
    let mut buckets: Vec<Bucket> = window.starts().map(empty).collect();
    for one in series {
        let state = one.key.first().and_then(Option::as_deref).unwrap_or_default();
        for counted in &one.buckets {
            let Some(bucket) = window.place(counted.start).and_then(|place| buckets.get_mut(place)) else { continue };
            match state {
                "open" => bucket.open += counted.count,
                "converged" => bucket.converged += counted.count,
                "failed" => bucket.failed += counted.count,
                "stuck" => bucket.stuck += counted.count,
                _ => {}
            }
        }
    }
    buckets
}
