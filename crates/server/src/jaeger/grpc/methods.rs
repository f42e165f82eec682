//! What each method answers.

use std::sync::Arc;

use clew_model::{Span, Time};
use clew_store::{Store, TimeRange};
use http::StatusCode;
use opentelemetry_proto::tonic::trace::v1::TracesData;
use tonic::Status;

use super::messages::{
    DependenciesResponse, Dependency, Duration, FindTraceSummariesResponse, FindTracesRequest, GetDependenciesRequest,
    GetOperationsRequest, GetOperationsResponse, GetServicesRequest, GetServicesResponse, GetTraceRequest, Operation,
    ServiceSummary, Timestamp, TraceSummary,
};
use crate::jaeger::query::{LIMIT, TraceQuery};
use crate::jaeger::{dependencies, names, traces};
use crate::trace::{Fault, Summary, load, trace_id, traces_data};

/// Spans of one message at most, so that it stays well below the 4 MiB that clients take.
const SPANS_PER_MESSAGE: usize = 1_000;

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let message = fault.message;
        match fault.status {
            StatusCode::BAD_REQUEST => Self::invalid_argument(message),
            StatusCode::NOT_FOUND => Self::not_found(message),
            StatusCode::FORBIDDEN => Self::permission_denied(message),
            StatusCode::UNPROCESSABLE_ENTITY => Self::resource_exhausted(message),
            StatusCode::SERVICE_UNAVAILABLE => Self::unavailable(message),
            _ => Self::internal(message),
        }
    }
}

pub(super) async fn get_trace(store: Arc<dyn Store>, request: GetTraceRequest) -> Result<Vec<TracesData>, Fault> {
    let id = trace_id(&request.trace_id)?;
    let spans = load(&*store, id, request.raw_traces).await?.spans;
    if spans.is_empty() {
        return Err(Fault::not_found(format!("no trace {id}: it never came, or is older than what is kept")));
    }
    Ok(chunks(&spans))
}

pub(super) async fn find_traces(store: Arc<dyn Store>, request: FindTracesRequest) -> Result<Vec<TracesData>, Fault> {
    let found = traces::matching(&*store, &search(request)?).await?;
    Ok(found.iter().flat_map(|spans| chunks(spans)).collect())
}

pub(super) async fn find_summaries(
    store: Arc<dyn Store>,
    request: FindTracesRequest,
) -> Result<Vec<FindTraceSummariesResponse>, Fault> {
    let found = traces::summaries(&*store, &search(request)?).await?;
    Ok(vec![FindTraceSummariesResponse { summaries: found.into_iter().map(summary).collect() }])
}

pub(super) async fn get_services(store: Arc<dyn Store>, _: GetServicesRequest) -> Result<GetServicesResponse, Fault> {
    Ok(GetServicesResponse { services: names::services(&*store).await? })
}

pub(super) async fn get_operations(
    store: Arc<dyn Store>,
    request: GetOperationsRequest,
) -> Result<GetOperationsResponse, Fault> {
    if request.service.is_empty() {
        return Err(Fault::bad_request("service: it is required"));
    }
    let kind = Some(request.span_kind.as_str()).filter(|kind| !kind.is_empty());
    let operations = names::operations(&*store, &request.service, kind).await?.into_iter();
    let operations = operations.map(|operation| Operation { name: operation.name, span_kind: operation.kind });
    Ok(GetOperationsResponse { operations: operations.collect() })
}

pub(super) async fn get_dependencies(
    store: Arc<dyn Store>,
    request: GetDependenciesRequest,
) -> Result<DependenciesResponse, Fault> {
    let range = TimeRange { from: request.start_time.map(time), to: request.end_time.map(time) };
    let calls = dependencies::dependencies(&*store, range).await?.into_iter();
    let calls = calls.map(|(parent, child, call_count)| Dependency { parent, child, call_count });
    Ok(DependenciesResponse { dependencies: calls.collect() })
}

fn chunks(spans: &[Span]) -> Vec<TracesData> {
    spans.chunks(SPANS_PER_MESSAGE).map(traces_data).collect()
}

fn search(request: FindTracesRequest) -> Result<TraceQuery, Fault> {
    let Some(query) = request.query else { return Err(Fault::bad_request("query: it is required")) };
    if query.filter.is_some() {
        return Err(Fault::bad_request("query.filter: structured filters are not supported"));
    }
    if query.pagination.is_some() {
        return Err(Fault::bad_request("query.pagination: pages are not supported; use search_depth"));
    }
    let (Some(from), Some(to)) = (query.start_time_min, query.start_time_max) else {
        return Err(Fault::bad_request("query.start_time_min and query.start_time_max: they are required"));
    };
    let depth = usize::try_from(query.search_depth).ok().filter(|depth| *depth > 0);
    Ok(TraceQuery {
        service: Some(query.service_name).filter(|text| !text.is_empty()),
        operation: Some(query.operation_name).filter(|text| !text.is_empty()),
        attributes: query.attributes.into_iter().collect(),
        min: query.duration_min.map(nanos).filter(|nanos| *nanos > 0),
        max: query.duration_max.map(nanos).filter(|nanos| *nanos > 0),
        range: TimeRange { from: Some(time(from)), to: Some(time(to)) },
        limit: depth.unwrap_or(LIMIT.0).min(LIMIT.1),
    })
}

fn time(moment: Timestamp) -> Time {
    Time::from_nanos(moment.seconds.saturating_mul(1_000_000_000).saturating_add(i64::from(moment.nanos)))
}

fn nanos(duration: Duration) -> i64 {
    duration.seconds.saturating_mul(1_000_000_000).saturating_add(i64::from(duration.nanos))
}

fn summary(summary: Summary) -> TraceSummary {
    let small = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let services = summary.services.iter().map(|(name, count)| ServiceSummary {
        name: name.clone(),
        span_count: small(count.spans),
        error_span_count: small(count.errors),
    });
    TraceSummary {
        services: services.collect(),
        min_start_time_unix_nano: u64::try_from(summary.start).unwrap_or(0),
        max_end_time_unix_nano: u64::try_from(summary.end()).unwrap_or(0),
        span_count: small(summary.spans()),
        error_span_count: small(summary.errors()),
        orphan_span_count: small(summary.orphans),
        trace_id: summary.id,
        root_service_name: summary.root_service,
        root_operation_name: summary.root_name,
    }
}
