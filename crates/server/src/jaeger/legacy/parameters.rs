//! The parameters of a search, as Jaeger's page sends them.

use std::collections::BTreeMap;

use clew_model::Time;
use clew_store::TimeRange;

use crate::jaeger::query::{LIMIT, TraceQuery};
use crate::trace::{Asked, Fault};
use crate::traceql::duration_nanos;

const MICROSECOND: i64 = 1_000;
const MILLISECOND: i64 = 1_000_000;
/// How far back is looked if the caller does not say: two days for traces, one for dependencies.
const TRACES_LOOKBACK: i64 = 2 * DEPENDENCIES_LOOKBACK;
const DEPENDENCIES_LOOKBACK: i64 = 24 * 3600 * 1_000_000_000;

/// The search.
pub(super) fn search(asked: &Asked, now: Time) -> Result<TraceQuery, Fault> {
    let query = TraceQuery {
        service: asked.get("service").map(str::to_owned),
        operation: asked.get("operation").map(str::to_owned),
        attributes: tags(asked)?,
        min: asked.duration("minDuration")?,
        max: asked.duration("maxDuration")?,
        range: range(asked, now)?,
        limit: asked.limit("limit", LIMIT.0, LIMIT.1)?,
    };
    if query.service.is_none() {
        return Err(Fault::bad_request("parameter service: it is required, unless traceID is given"));
    }
    if let (Some(min), Some(max)) = (query.min, query.max)
        && max < min
    {
        return Err(Fault::bad_request("parameter maxDuration: it is less than minDuration"));
    }
    Ok(query)
}

fn range(asked: &Asked, now: Time) -> Result<TimeRange, Fault> {
    let to = asked.moment("end", MICROSECOND)?.unwrap_or(now);
    let lookback = asked.get("lookback").and_then(duration_nanos).unwrap_or(TRACES_LOOKBACK);
    let from = asked.moment("start", MICROSECOND)?.unwrap_or_else(|| to.saturating_sub(lookback));
    if from > to {
        return Err(Fault::bad_request("parameter start: it is after end"));
    }
    Ok(TimeRange { from: Some(from), to: Some(to) })
}

/// The time of a question for dependencies.
pub(super) fn dependencies(asked: &Asked, now: Time) -> Result<TimeRange, Fault> {
    let to = asked.moment("endTs", MILLISECOND)?.unwrap_or(now);
    let back = asked.moment("lookback", MILLISECOND)?.map_or(DEPENDENCIES_LOOKBACK, Time::as_nanos);
    Ok(TimeRange { from: Some(to.saturating_sub(back)), to: Some(to) })
}

/// `tag=key:value` and `tags={"key":"value"}`, each as often as wanted.
fn tags(asked: &Asked) -> Result<Vec<(String, String)>, Fault> {
    let mut tags = BTreeMap::new();
    for tag in asked.all("tag") {
        let Some((key, value)) = tag.split_once(':') else {
            return Err(Fault::bad_request(format!("parameter tag: {tag:?} is not key:value")));
        };
        tags.insert(key.to_owned(), value.to_owned());
    }
    for json in asked.all("tags") {
        let map: BTreeMap<String, String> = serde_json::from_str(json)
            .map_err(|error| Fault::bad_request(format!("parameter tags: it is not a JSON map of texts: {error}")))?;
        tags.extend(map);
    }
    Ok(tags.into_iter().collect())
}
