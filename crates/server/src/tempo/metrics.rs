//! Numbers over time.

use axum::Json;
use clew_store::{Bucket, Filter, Quantiles, SpanQuery, StatisticsOf, StatisticsQuery};
use serde_json::{Value, json};

use super::buckets::Steps;
use super::numbers;
use super::series::{Label, Labels, Line};
use crate::app::App;
use crate::clock;
use crate::trace::{Asked, Fault};
use crate::traceql::{FieldName, Intrinsic, Metrics, MetricsFunction, Query, Stage, candidates, field_of, parse};
use crate::viewed::Viewed;

/// Series of an answer at most.
const MAX_SERIES: usize = 1_000;
/// Spans that are looked at one by one at most.
const MAX_SPANS: usize = 50_000;

/// `/api/metrics/query_range`.
pub(super) async fn query_range(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Fault> {
    let steps = Steps::asked(&asked, clock::now())?;
    let lines = lines(&app, &asked, &steps).await?;
    let series: Vec<Value> = lines.iter().map(|line| line.over_time(&steps)).collect();
    Ok(Json(json!({"series": series, "metrics": {"completedJobs": 1, "totalJobs": 1}})))
}

/// `/api/metrics/query`.
pub(super) async fn query(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Fault> {
    let steps = Steps::whole(&asked, clock::now())?;
    let lines = lines(&app, &asked, &steps).await?;
    let series: Vec<Value> = lines.iter().filter_map(Line::at_once).collect();
    Ok(Json(json!({"series": series, "metrics": {"completedJobs": 1, "totalJobs": 1}})))
}

async fn lines(app: &App, asked: &Asked, steps: &Steps) -> Result<Vec<Line>, Fault> {
    let text = asked.get("q").or_else(|| asked.get("query"));
    let query =
        parse(text.ok_or_else(|| Fault::bad_request("parameter q: a query such as `{ } | rate()` is needed"))?)?;
    let (filter, metrics) = plan(&query)?;
    if !is_counted_by_store(metrics) {
        return from_spans(app, filter, metrics, steps).await;
    }
    let by = metrics.by.iter().map(|field| field_of(field).ok_or_else(|| cannot_group(field)));
    let statistics = StatisticsQuery {
        of: StatisticsOf::Spans,
        range: steps.range(),
        filter,
        by: by.collect::<Result<_, _>>()?,
        bucket: (steps.count > 1).then(|| steps.duration()),
        limit: MAX_SERIES,
    };
    let mut lines = Vec::new();
    for series in app.store.statistics(&statistics).await? {
        let labels = metrics
            .by
            .iter()
            .zip(series.key)
            .map(|(field, value)| (field.to_string(), Label::from(value.map(String::from))));
        lines.extend(counted(metrics, &labels.collect(), &series.buckets, steps));
    }
    Ok(lines)
}

/// Which spans, and what of them.
fn plan(query: &Query) -> Result<(Filter, &Metrics), Fault> {
    let [Stage::Metrics(metrics)] = query.stages.as_slice() else {
        let message = "numbers over time need one function after the conditions, such as `{ … } | rate()`";
        return Err(Fault::bad_request(message));
    };
    let bare = Query { spansets: query.spansets.clone(), stages: Vec::new(), hints: Vec::new() };
    let found = candidates(&bare);
    if !found.exact {
        let message = format!(
            "numbers over time are of single spans: `{}` needs whole traces, which only /api/search looks at",
            query.spansets
        );
        return Err(Fault::bad_request(message));
    }
    if let Some(field) = metrics.by.iter().chain(&metrics.of).find(|field| field_of(field).is_none()) {
        return Err(cannot_group(field));
    }
    Ok((found.filter, metrics))
}

fn cannot_group(field: &FieldName) -> Fault {
    Fault::bad_request(format!(
        "numbers over time cannot be made of `{field}`, nor told apart by it: it belongs to whole traces"
    ))
}

/// Whether a store has a question for it.
fn is_counted_by_store(metrics: &Metrics) -> bool {
    let of_duration = metrics.of == Some(FieldName::Intrinsic(Intrinsic::Duration));
    match metrics.function {
        MetricsFunction::Rate | MetricsFunction::CountOverTime => true,
        MetricsFunction::MaxOverTime | MetricsFunction::SumOverTime => of_duration,
        MetricsFunction::QuantileOverTime => of_duration && metrics.quantiles.iter().all(|q| pick(*q).is_some()),
        _ => false,
    }
}

/// Takes one number out of a distribution.
type Pick = fn(&Quantiles) -> f64;

/// The quantile that a store keeps, if it keeps it.
#[allow(clippy::float_cmp, reason = "a quantile is kept or it is not")]
fn pick(quantile: f64) -> Option<Pick> {
    let kept: [(f64, Pick); 5] = [
        (0.5, |durations| durations.p50),
        (0.9, |durations| durations.p90),
        (0.95, |durations| durations.p95),
        (0.99, |durations| durations.p99),
        (1.0, |durations| durations.max),
    ];
    kept.into_iter().find(|(kept, _)| *kept == quantile).map(|(_, pick)| pick)
}

/// The series that a function makes of a store's buckets.
#[allow(clippy::cast_precision_loss, reason = "a count of spans")]
fn counted(metrics: &Metrics, labels: &Labels, buckets: &[Bucket], steps: &Steps) -> Vec<Line> {
    let seconds = steps.length as f64 / 1e9;
    let of_durations = |pick: Pick| {
        let measured = |bucket: &Bucket| bucket.duration.as_ref().map(|durations| pick(durations) / 1e9);
        spread(buckets, steps, None, measured)
    };
    let line =
        |label: Option<(String, Label)>, values| Line { labels: labels.iter().cloned().chain(label).collect(), values };
    // A series must have a label; Tempo gives it the function's name.
    let name = metrics.by.is_empty().then(|| ("__name__".to_owned(), Label::Text(metrics.function.name().to_owned())));
    match metrics.function {
        MetricsFunction::Rate => {
            vec![line(name, spread(buckets, steps, Some(0.0), |b| Some(b.count as f64 / seconds)))]
        }
        MetricsFunction::MaxOverTime => vec![line(name, of_durations(|durations| durations.max))],
        MetricsFunction::SumOverTime => vec![line(name, of_durations(|durations| durations.sum))],
        MetricsFunction::QuantileOverTime => {
            let each = metrics.quantiles.iter().filter_map(|quantile| {
                let label = Some(("p".to_owned(), Label::Number(*quantile)));
                Some(line(label, of_durations(pick(*quantile)?)))
            });
            each.collect()
        }
        _ => vec![line(name, spread(buckets, steps, Some(0.0), |bucket| Some(bucket.count as f64)))],
    }
}

/// A value for each step; a store leaves out those in which nothing happened.
fn spread(
    buckets: &[Bucket],
    steps: &Steps,
    empty: Option<f64>,
    value: impl Fn(&Bucket) -> Option<f64>,
) -> Vec<Option<f64>> {
    let mut values = vec![empty; steps.count];
    for bucket in buckets {
        // One bucket for all the time has no beginning worth looking at.
        let place = if steps.count == 1 { Some(0) } else { steps.place(bucket.start) };
        if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
            *slot = value(bucket).or(empty);
        }
    }
    values
}

/// The series worked out from the spans themselves.
async fn from_spans(app: &App, filter: Filter, metrics: &Metrics, steps: &Steps) -> Result<Vec<Line>, Fault> {
    let query = SpanQuery { range: steps.range(), filter, limit: MAX_SPANS + 1, woven: true };
    let spans = app.store.spans(&query).await?;
    if spans.len() > MAX_SPANS {
        let message = format!(
            "`{metrics}` looks at spans one by one, and there are more than {MAX_SPANS}: ask for less time, or for \
             rate, count_over_time, or the quantiles .5, .9, .95, .99 of duration, which have no such limit"
        );
        return Err(Fault::too_much(message));
    }
    let mut lines = numbers::series(&spans, metrics, steps);
    lines.truncate(MAX_SERIES);
    if metrics.by.is_empty() {
        for line in lines.iter_mut().filter(|line| line.labels.is_empty()) {
            line.labels.push(("__name__".to_owned(), Label::Text(metrics.function.name().to_owned())));
        }
    }
    Ok(lines)
}
