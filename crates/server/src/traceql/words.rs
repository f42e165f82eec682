//! The words of `TraceQL`, each with what it stands for.

use clew_model::{SpanKind, StatusCode};
use clew_store::Comparison;

use super::ast::{Aggregate, Intrinsic, MetricsFunction, Static};

/// Intrinsics by the name that they are written with; the first name of each is the one that is printed.
const INTRINSICS: [(&str, Intrinsic); 28] = [
    ("duration", Intrinsic::Duration),
    ("span:duration", Intrinsic::Duration),
    ("name", Intrinsic::Name),
    ("span:name", Intrinsic::Name),
    ("status", Intrinsic::Status),
    ("span:status", Intrinsic::Status),
    ("statusMessage", Intrinsic::StatusMessage),
    ("span:statusMessage", Intrinsic::StatusMessage),
    ("kind", Intrinsic::Kind),
    ("span:kind", Intrinsic::Kind),
    ("traceDuration", Intrinsic::TraceDuration),
    ("trace:duration", Intrinsic::TraceDuration),
    ("rootName", Intrinsic::RootName),
    ("trace:rootName", Intrinsic::RootName),
    ("rootServiceName", Intrinsic::RootServiceName),
    ("trace:rootService", Intrinsic::RootServiceName),
    ("trace:id", Intrinsic::TraceId),
    ("span:id", Intrinsic::SpanId),
    ("span:parentID", Intrinsic::ParentId),
    ("nestedSetParent", Intrinsic::NestedSetParent),
    ("nestedSetLeft", Intrinsic::NestedSetLeft),
    ("nestedSetRight", Intrinsic::NestedSetRight),
    ("span:nestedSetParent", Intrinsic::NestedSetParent),
    ("span:nestedSetLeft", Intrinsic::NestedSetLeft),
    ("span:nestedSetRight", Intrinsic::NestedSetRight),
    ("trace:rootServiceName", Intrinsic::RootServiceName),
    ("traceID", Intrinsic::TraceId),
    ("spanID", Intrinsic::SpanId),
];

const STATICS: [(&str, Static); 12] = [
    ("true", Static::Bool(true)),
    ("false", Static::Bool(false)),
    ("nil", Static::Nil),
    ("unset", Static::Status(StatusCode::Unset)),
    ("ok", Static::Status(StatusCode::Ok)),
    ("error", Static::Status(StatusCode::Error)),
    ("unspecified", Static::Kind(SpanKind::Unspecified)),
    ("internal", Static::Kind(SpanKind::Internal)),
    ("server", Static::Kind(SpanKind::Server)),
    ("client", Static::Kind(SpanKind::Client)),
    ("producer", Static::Kind(SpanKind::Producer)),
    ("consumer", Static::Kind(SpanKind::Consumer)),
];

const COMPARISONS: [(&str, Comparison); 8] = [
    ("=", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
    ("=~", Comparison::Matches),
    ("!~", Comparison::NotMatches),
];

const AGGREGATES: [(&str, Aggregate); 5] = [
    ("count", Aggregate::Count),
    ("avg", Aggregate::Avg),
    ("min", Aggregate::Min),
    ("max", Aggregate::Max),
    ("sum", Aggregate::Sum),
];

const METRICS: [(&str, MetricsFunction); 8] = [
    ("rate", MetricsFunction::Rate),
    ("count_over_time", MetricsFunction::CountOverTime),
    ("min_over_time", MetricsFunction::MinOverTime),
    ("max_over_time", MetricsFunction::MaxOverTime),
    ("avg_over_time", MetricsFunction::AvgOverTime),
    ("sum_over_time", MetricsFunction::SumOverTime),
    ("quantile_over_time", MetricsFunction::QuantileOverTime),
    ("histogram_over_time", MetricsFunction::HistogramOverTime),
];

fn find<T: Clone>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone())
}

fn name<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

/// The intrinsic of that name.
pub(super) fn intrinsic(word: &str) -> Option<Intrinsic> {
    find(&INTRINSICS, word)
}

/// The value of that name.
pub(super) fn constant(word: &str) -> Option<Static> {
    find(&STATICS, word)
}

/// The comparison that is written so.
pub(super) fn comparison(symbol: &str) -> Option<Comparison> {
    find(&COMPARISONS, symbol)
}

/// The aggregate of that name.
pub(super) fn aggregate(word: &str) -> Option<Aggregate> {
    find(&AGGREGATES, word)
}

/// The metrics function of that name.
pub(super) fn metrics(word: &str) -> Option<MetricsFunction> {
    find(&METRICS, word)
}

impl Intrinsic {
    /// The name that it is written with.
    pub fn name(self) -> &'static str {
        name(&INTRINSICS, &self)
    }
}

impl Aggregate {
    /// The name that it is written with.
    pub fn name(self) -> &'static str {
        name(&AGGREGATES, &self)
    }
}

impl MetricsFunction {
    /// The name that it is written with.
    pub fn name(self) -> &'static str {
        name(&METRICS, &self)
    }
}

/// How a comparison is written.
pub(super) fn symbol(comparison: Comparison) -> &'static str {
    name(&COMPARISONS, &comparison)
}

/// How a value with a name is written.
pub(super) fn constant_name(value: &Static) -> &'static str {
    name(&STATICS, value)
}
