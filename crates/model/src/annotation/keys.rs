//! The annotation keys that clew knows, and who writes them.

/// The key that clew writes unless it is told another (KEP-5915): a `traceparent`.
pub const DEFAULT_KEY: &str = "tracing.k8s.io/traceparent";

/// KEP-647's first proposal: base64 of a binary span context.
pub(super) const KEP_647: &str = "trace.kubernetes.io/context";
/// Azure's operatortrace: a `traceparent`, with a `tracestate` beside it.
pub(super) const OPERATORTRACE: &str = "operatortrace.azure.microsoft.com/traceparent";
/// Tekton's PipelineRuns: a JSON map of headers.
pub(super) const TEKTON_PIPELINE_RUN: &str = "tekton.dev/pipelinerunSpanContext";
/// Tekton's TaskRuns: a JSON map of headers.
pub(super) const TEKTON_TASK_RUN: &str = "tekton.dev/taskrunSpanContext";
/// The agent-sandbox project and others: a JSON map of headers.
pub(super) const OPENTELEMETRY: &str = "opentelemetry.io/trace-context";

/// Operatortrace before it wrote a `traceparent`: the trace id alone.
pub(super) const OPERATORTRACE_TRACE_ID: &str = "operatortrace.azure.microsoft.com/trace-id";
/// Operatortrace before it wrote a `traceparent`: the span id alone.
pub(super) const OPERATORTRACE_SPAN_ID: &str = "operatortrace.azure.microsoft.com/span-id";

/// Every key that is read, in the order in which it is looked for.
pub const KNOWN_KEYS: [&str; 6] =
    [DEFAULT_KEY, KEP_647, OPERATORTRACE, TEKTON_PIPELINE_RUN, TEKTON_TASK_RUN, OPENTELEMETRY];

/// Keys that stand beside one of [`KNOWN_KEYS`] and hold no context of their own.
pub(super) const COMPANIONS: [&str; 5] = [
    "tracing.k8s.io/tracestate",
    "operatortrace.azure.microsoft.com/tracestate",
    OPERATORTRACE_TRACE_ID,
    OPERATORTRACE_SPAN_ID,
    "operatortrace.azure.microsoft.com/trace-id-time",
];
