//! Counts and percentiles, by any fields and over time.

use std::time::Duration;

use axum::response::Response;
use clew_model::Time;
use clew_store::{Bucket, Series, StatisticsOf, StatisticsQuery};
use serde::Serialize;
use serde_json::{Map, Value};

use super::asked::Asked;
use super::journeys::json;
use crate::clock::now;
use crate::error::ApiError;
use crate::parameters::{BadParameter, FILTERS, Parameters, Selection, column, duration};
use crate::viewed::Viewed;

const SERIES: usize = 20;
const MAX_SERIES: usize = 1000;
/// How many fields one may group by.
const MAX_FIELDS: usize = 4;
/// The narrowest bucket.
const MIN_BUCKET: i64 = 100_000_000;

#[derive(Serialize)]
struct Answer {
    series: Vec<SeriesView>,
}

#[derive(Serialize)]
struct SeriesView {
    key: Map<String, Value>,
    points: Vec<Point>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Point {
    start: Time,
    count: u64,
    errors: u64,
    p50_ms: Option<f64>,
    p90_ms: Option<f64>,
    p95_ms: Option<f64>,
    p99_ms: Option<f64>,
    max_ms: Option<f64>,
    sum_ms: Option<f64>,
}

/// The series, the largest first.
pub(super) async fn show(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS, &["of", "by", "bucket", "limit"]])?;
    let selection = Selection::read(&asked, now())?;
    let names: Vec<&str> = asked.all("by").flat_map(|names| names.split(',')).filter(|name| !name.is_empty()).collect();
    if names.len() > MAX_FIELDS {
        return Err(BadParameter::new("by", format!("has more than {MAX_FIELDS} fields")).into());
    }
    let query = StatisticsQuery {
        of: of(&asked)?,
        range: selection.range,
        filter: selection.filter,
        by: names.iter().map(|name| column("by", name)).collect::<Result<_, _>>()?,
        bucket: bucket(&asked)?,
        limit: asked.number("limit", SERIES, MAX_SERIES)?,
    };
    let series = app.store.statistics(&query).await?;
    json(&Answer { series: series.into_iter().map(|series| view(&names, series)).collect() })
}

fn of(asked: &Parameters) -> Result<StatisticsOf, BadParameter> {
    match asked.one("of")?.unwrap_or("journeys") {
        "journeys" => Ok(StatisticsOf::Journeys),
        "spans" => Ok(StatisticsOf::Spans),
        "runs" => Ok(StatisticsOf::Runs),
        other => Err(BadParameter::new("of", format!("{other:?} is none of journeys, spans, runs"))),
    }
}

fn bucket(asked: &Parameters) -> Result<Option<Duration>, BadParameter> {
    let Some(text) = asked.one("bucket")? else { return Ok(None) };
    let nanos = duration("bucket", text)?;
    if nanos < MIN_BUCKET {
        return Err(BadParameter::new("bucket", "is narrower than 100ms"));
    }
    Ok(Some(Duration::from_nanos(nanos.unsigned_abs())))
}

fn view(names: &[&str], series: Series) -> SeriesView {
    let values = series.key.into_iter().map(|value| value.map_or(Value::Null, |value| value.as_str().into()));
    let key = names.iter().map(|name| (*name).to_owned()).zip(values).collect();
    SeriesView { key, points: series.buckets.iter().map(point).collect() }
}

fn point(bucket: &Bucket) -> Point {
    let ms = |pick: fn(&clew_store::Quantiles) -> f64| {
        bucket.duration.as_ref().map(|duration| pick(duration) / 1e6).filter(|ms| ms.is_finite())
    };
    Point {
        start: bucket.start,
        count: bucket.count,
        errors: bucket.errors,
        p50_ms: ms(|duration| duration.p50),
        p90_ms: ms(|duration| duration.p90),
        p95_ms: ms(|duration| duration.p95),
        p99_ms: ms(|duration| duration.p99),
        max_ms: ms(|duration| duration.max),
        sum_ms: ms(|duration| duration.sum),
    }
}
