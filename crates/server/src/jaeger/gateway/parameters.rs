//! The parameters of a search, by the names of the protobuf file or of its JSON.

use std::collections::BTreeMap;

use clew_store::TimeRange;

use crate::jaeger::query::{LIMIT, TraceQuery};
use crate::trace::{Asked, Fault};

/// The search.
pub(super) fn search(asked: &Asked) -> Result<TraceQuery, Fault> {
    let from = asked.rfc3339(named(asked, "query.start_time_min", "query.startTimeMin"))?;
    let to = asked.rfc3339(named(asked, "query.start_time_max", "query.startTimeMax"))?;
    if from.is_none() || to.is_none() {
        return Err(Fault::bad_request("parameters query.start_time_min and query.start_time_max: they are required"));
    }
    if asked.get("query.filter").is_some() {
        return Err(Fault::bad_request("parameter query.filter: structured filters are not supported"));
    }
    if asked.names().any(|name| name.starts_with("query.pagination")) {
        return Err(Fault::bad_request("parameter query.pagination: pages are not supported; use query.search_depth"));
    }
    let text = |snake, camel| asked.get(named(asked, snake, camel)).map(str::to_owned);
    let depth = named(asked, "query.search_depth", "query.searchDepth");
    let depth = if asked.get(depth).is_some() { depth } else { "query.num_traces" };
    Ok(TraceQuery {
        service: text("query.service_name", "query.serviceName"),
        operation: text("query.operation_name", "query.operationName"),
        attributes: attributes(asked)?,
        min: asked.duration(named(asked, "query.duration_min", "query.durationMin"))?,
        max: asked.duration(named(asked, "query.duration_max", "query.durationMax"))?,
        range: TimeRange { from, to },
        limit: asked.limit(depth, LIMIT.0, LIMIT.1)?,
    })
}

/// The name that the caller used.
pub(super) fn named(asked: &Asked, snake: &'static str, camel: &'static str) -> &'static str {
    if asked.get(camel).is_some() { camel } else { snake }
}

fn attributes(asked: &Asked) -> Result<Vec<(String, String)>, Fault> {
    let Some(json) = asked.get("query.attributes") else { return Ok(Vec::new()) };
    let map: BTreeMap<String, String> = serde_json::from_str(json).map_err(|error| {
        Fault::bad_request(format!("parameter query.attributes: it is not a JSON map of texts: {error}"))
    })?;
    Ok(map.into_iter().collect())
}
