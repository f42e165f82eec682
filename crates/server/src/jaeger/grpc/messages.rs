//! The messages of `jaeger.api_v3.QueryService`, by the numbers of its protobuf file; traces are OTLP's own messages.

#![allow(missing_docs, reason = "each field is what Jaeger's protobuf file says it is")]

use std::collections::HashMap;

/// A moment.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// A span of time.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Duration {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// Asks for one trace.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTraceRequest {
    #[prost(string, tag = "1")]
    pub trace_id: String,
    #[prost(message, optional, tag = "2")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub end_time: Option<Timestamp>,
    #[prost(bool, tag = "4")]
    pub raw_traces: bool,
}

/// What is searched for.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TraceQueryParameters {
    #[prost(string, tag = "1")]
    pub service_name: String,
    #[prost(string, tag = "2")]
    pub operation_name: String,
    #[prost(map = "string, string", tag = "3")]
    pub attributes: HashMap<String, String>,
    #[prost(message, optional, tag = "4")]
    pub start_time_min: Option<Timestamp>,
    #[prost(message, optional, tag = "5")]
    pub start_time_max: Option<Timestamp>,
    #[prost(message, optional, tag = "6")]
    pub duration_min: Option<Duration>,
    #[prost(message, optional, tag = "7")]
    pub duration_max: Option<Duration>,
    #[prost(int32, tag = "8")]
    pub search_depth: i32,
    #[prost(bool, tag = "9")]
    pub raw_traces: bool,
    /// The structured filter, undecoded: a search that has one is refused, since passing over it would answer with more.
    #[prost(bytes = "vec", optional, tag = "10")]
    pub filter: Option<Vec<u8>>,
    /// The wish for pages, undecoded and refused, too.
    #[prost(bytes = "vec", optional, tag = "11")]
    pub pagination: Option<Vec<u8>>,
}

/// Asks for traces, whole or in a few words each.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FindTracesRequest {
    #[prost(message, optional, tag = "1")]
    pub query: Option<TraceQueryParameters>,
}

/// Asks for the services.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct GetServicesRequest {}

/// The services.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GetServicesResponse {
    #[prost(string, repeated, tag = "1")]
    pub services: Vec<String>,
}

/// Asks what a service does.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GetOperationsRequest {
    #[prost(string, tag = "1")]
    pub service: String,
    #[prost(string, tag = "2")]
    pub span_kind: String,
}

/// What a service does.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Operation {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub span_kind: String,
}

/// All that a service does.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GetOperationsResponse {
    #[prost(message, repeated, tag = "1")]
    pub operations: Vec<Operation>,
}

/// Asks which service calls which.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct GetDependenciesRequest {
    #[prost(message, optional, tag = "1")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "2")]
    pub end_time: Option<Timestamp>,
}

/// One service that calls another.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Dependency {
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub child: String,
    #[prost(uint64, tag = "3")]
    pub call_count: u64,
}

/// Which service calls which.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DependenciesResponse {
    #[prost(message, repeated, tag = "1")]
    pub dependencies: Vec<Dependency>,
}

/// What a service did in a trace.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ServiceSummary {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(int32, tag = "2")]
    pub span_count: i32,
    #[prost(int32, tag = "3")]
    pub error_span_count: i32,
}

/// A trace in a few words.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TraceSummary {
    #[prost(string, tag = "1")]
    pub trace_id: String,
    #[prost(string, tag = "2")]
    pub root_service_name: String,
    #[prost(string, tag = "3")]
    pub root_operation_name: String,
    #[prost(fixed64, tag = "4")]
    pub min_start_time_unix_nano: u64,
    #[prost(fixed64, tag = "5")]
    pub max_end_time_unix_nano: u64,
    #[prost(int32, tag = "6")]
    pub span_count: i32,
    #[prost(int32, tag = "7")]
    pub error_span_count: i32,
    #[prost(int32, tag = "8")]
    pub orphan_span_count: i32,
    #[prost(message, repeated, tag = "9")]
    pub services: Vec<ServiceSummary>,
}

/// Traces in a few words each.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FindTraceSummariesResponse {
    #[prost(message, repeated, tag = "1")]
    pub summaries: Vec<TraceSummary>,
}
