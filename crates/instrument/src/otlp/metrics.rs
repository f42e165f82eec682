//! This component's own metrics as an OTLP request.

use super::SCOPE;
use super::encode::{key_values, nanos};
use crate::attribute::{Attribute, attr};
use crate::metrics::{Family, FamilyKind, Number, Point, Snapshot};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Histogram, HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum,
    metric, number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use std::time::SystemTime;

const CUMULATIVE: i32 = AggregationTemporality::Cumulative as i32;

/// The OTLP request for a snapshot.
pub(crate) fn metrics_request(
    snapshot: &Snapshot,
    resource: &[Attribute],
    now: SystemTime,
) -> ExportMetricsServiceRequest {
    let (start, now) = (nanos(snapshot.since), nanos(now));
    let metrics = snapshot.families().iter().map(|family| encode_family(family, start, now)).collect();
    let scope = InstrumentationScope { name: SCOPE.to_owned(), ..InstrumentationScope::default() };
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(Resource { attributes: key_values(resource), ..Resource::default() }),
            scope_metrics: vec![ScopeMetrics { scope: Some(scope), metrics, schema_url: String::new() }],
            schema_url: String::new(),
        }],
    }
}

fn encode_family(family: &Family, start: u64, now: u64) -> Metric {
    let data = match family.kind {
        FamilyKind::Histogram => {
            let data_points = family.points.iter().map(|point| histogram_point(point, start, now)).collect();
            metric::Data::Histogram(Histogram { data_points, aggregation_temporality: CUMULATIVE })
        }
        FamilyKind::Counter | FamilyKind::UpDownCounter => metric::Data::Sum(Sum {
            data_points: family.points.iter().map(|point| number_point(point, start, now)).collect(),
            aggregation_temporality: CUMULATIVE,
            is_monotonic: family.kind == FamilyKind::Counter,
        }),
    };
    Metric {
        name: family.name.to_owned(),
        description: family.help.to_owned(),
        unit: family.unit.to_owned(),
        metadata: Vec::new(),
        data: Some(data),
    }
}

fn number_point(point: &Point, start: u64, now: u64) -> NumberDataPoint {
    let value = match &point.number {
        Number::Count(count) => i64::try_from(*count).unwrap_or(i64::MAX),
        Number::Histogram(histogram) => i64::try_from(histogram.count).unwrap_or(i64::MAX),
    };
    NumberDataPoint {
        attributes: labels(point),
        start_time_unix_nano: start,
        time_unix_nano: now,
        value: Some(number_data_point::Value::AsInt(value)),
        ..NumberDataPoint::default()
    }
}

fn histogram_point(point: &Point, start: u64, now: u64) -> HistogramDataPoint {
    let mut data = HistogramDataPoint {
        attributes: labels(point),
        start_time_unix_nano: start,
        time_unix_nano: now,
        ..HistogramDataPoint::default()
    };
    if let Number::Histogram(histogram) = &point.number {
        data.count = histogram.count;
        data.sum = Some(histogram.sum);
        data.bucket_counts = histogram.buckets.to_vec();
        data.explicit_bounds = crate::metrics::BOUNDS.to_vec();
    }
    data
}

fn labels(point: &Point) -> Vec<KeyValue> {
    let labels: Vec<Attribute> = point.labels.iter().map(|(key, value)| attr(*key, value.clone())).collect();
    key_values(&labels)
}
