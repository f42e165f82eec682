//! Counts and exact percentiles.

use std::collections::BTreeMap;
use std::time::Duration;

use clew_model::{Span, StatusCode, Time, Value};
use clew_server::object_kind;
use clew_store::{Bucket, Column, Field, JourneyDetail, Quantiles, Run, Series};
use clew_weave::State;
use compact_str::CompactString;

/// One thing that is counted.
pub(crate) struct Measured {
    key: Vec<Option<CompactString>>,
    start: Time,
    duration: Option<i64>,
    is_error: bool,
}

impl Measured {
    pub(crate) fn journey(detail: &JourneyDetail, by: &[Field]) -> Self {
        let journey = &detail.journey;
        let ended = journey.state != State::Open;
        Self {
            key: by.iter().map(|field| fields(detail, field).into_iter().next()).collect(),
            start: journey.start,
            duration: ended.then(|| journey.end.since(journey.start)),
            is_error: matches!(journey.state, State::Failed | State::Stuck),
        }
    }

    pub(crate) fn span(span: &Span, by: &[Field]) -> Self {
        let value = |field: &Field| match field {
            Field::Column(Column::SpanName) => Some(span.name.clone()),
            Field::Column(Column::Service) => span.resource.get_str("service.name").map(Into::into),
            Field::Column(_) => None,
            Field::Attribute(_, key) => span.attributes.get(key).and_then(text),
        };
        Self {
            key: by.iter().map(value).collect(),
            start: span.start,
            duration: span.duration(),
            is_error: span.status.code == StatusCode::Error,
        }
    }

    pub(crate) fn run(run: &Run) -> Self {
        Self {
            key: vec![Some(run.command.clone())],
            start: run.start,
            duration: run.end.map(|end| end.since(run.start)),
            is_error: run.status.code == StatusCode::Error,
        }
    }
}

fn text(value: &Value) -> Option<CompactString> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string().into()),
        _ => None,
    }
}

/// The values that a field has in a journey.
pub(crate) fn fields(detail: &JourneyDetail, field: &Field) -> Vec<CompactString> {
    let root = &detail.journey.root;
    let spans = || detail.spans.iter().chain(&detail.native);
    match field {
        Field::Column(Column::Cluster) => vec![detail.cluster.clone()],
        Field::Column(Column::Namespace) => vec![root.namespace.clone()],
        Field::Column(Column::Kind) => vec![object_kind(&detail.journey).into()],
        Field::Column(Column::Name) => vec![root.name.clone()],
        Field::Column(Column::User) => vec![root.user.clone()],
        Field::Column(Column::Verb) => vec![root.verb.clone()],
        Field::Column(Column::State) => vec![format!("{:?}", detail.journey.state).to_lowercase().into()],
        Field::Column(Column::SpanName) => spans().map(|span| span.name.clone()).collect(),
        Field::Column(Column::Service) => {
            spans().filter_map(|span| span.resource.get_str("service.name").map(Into::into)).collect()
        }
        Field::Column(_) => Vec::new(),
        Field::Attribute(_, key) => spans().filter_map(|span| span.attributes.get(key).and_then(text)).collect(),
    }
}

/// Groups, in time buckets.
pub(crate) fn series(measured: Vec<Measured>, bucket: Option<Duration>, limit: usize) -> Vec<Series> {
    let width = bucket.map_or(i64::MAX, |bucket| i64::try_from(bucket.as_nanos()).unwrap());
    let mut groups: BTreeMap<_, BTreeMap<i64, Vec<Measured>>> = BTreeMap::new();
    for one in measured {
        let start = one.start.as_nanos().div_euclid(width) * width;
        groups.entry(one.key.clone()).or_default().entry(start).or_default().push(one);
    }
    let mut all: Vec<Series> = groups
        .into_iter()
        .map(|(key, buckets)| Series { key, buckets: buckets.into_iter().map(|(at, all)| count(at, &all)).collect() })
        .collect();
    all.sort_by_key(|series| std::cmp::Reverse(series.buckets.iter().map(|bucket| bucket.count).sum::<u64>()));
    all.truncate(limit);
    all
}

#[expect(clippy::cast_precision_loss, reason = "durations of a test")]
fn count(start: i64, all: &[Measured]) -> Bucket {
    let mut durations: Vec<f64> = all.iter().filter_map(|one| one.duration).map(|nanos| nanos as f64).collect();
    durations.sort_by(f64::total_cmp);
    let at = |part: usize| durations[(durations.len() * part / 100).min(durations.len() - 1)];
    let duration = (!durations.is_empty()).then(|| Quantiles {
        p50: at(50),
        p90: at(90),
        p95: at(95),
        p99: at(99),
        max: at(100),
        sum: durations.iter().sum(),
    });
    let errors = all.iter().filter(|one| one.is_error).count() as u64;
    Bucket { start: Time::from_nanos(start), count: all.len() as u64, errors, duration }
}
