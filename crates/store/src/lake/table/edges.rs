//! Edges as rows of their table, and back.

use std::sync::Arc;

use clew_model::Time;
use clew_weave::{Child, Edge};
use datafusion::arrow::array::{Array, AsArray, Date32Array, RecordBatch, StringBuilder};

use super::{Table, day_of};
use crate::Result;
use crate::lake::fault::{broken, damaged};

/// The edges of one journey; they lie with the day of its start.
pub(in crate::lake) fn edges_of(cluster: &str, start: Time, edges: &[Edge]) -> Result<RecordBatch> {
    let mut texts: [StringBuilder; 6] = std::array::from_fn(|_| StringBuilder::with_capacity(edges.len(), 0));
    for edge in edges {
        let (span, segment) = match edge.child {
            Child::Span(span) => (Some(span.to_string()), None),
            Child::Segment(trace) => (None, Some(trace.to_string())),
        };
        texts[0].append_value(edge.journey.to_string());
        texts[1].append_value(cluster);
        texts[2].append_value(edge.parent.to_string());
        texts[3].append_option(span);
        texts[4].append_option(segment);
        texts[5].append_value(edge.evidence.as_str());
    }
    let days = Date32Array::from(vec![day_of(start.as_nanos()); edges.len()]);
    let mut arrays: Vec<_> = vec![Arc::new(days) as _];
    arrays.extend(texts.iter_mut().map(|text| Arc::new(text.finish()) as _));
    RecordBatch::try_new(Table::Edges.schema(), arrays).map_err(|error| broken(&error))
}

/// The names of the columns that an edge is made of.
pub(in crate::lake) const EDGE_OF: [&str; 5] =
    ["journey_id", "parent_span_id", "child_span_id", "segment_trace_id", "evidence"];

/// Edges out of rows of the table.
pub(in crate::lake) fn edges_from(rows: &RecordBatch) -> Result<Vec<Edge>> {
    let column = |name: &str| rows.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    let [Some(journeys), Some(parents), Some(spans), Some(segments), Some(evidence)] = EDGE_OF.map(column) else {
        return Err(damaged("edges", "a column is missing"));
    };
    let edge = |row: usize| -> Option<Edge> {
        let child = if spans.is_valid(row) {
            Child::Span(spans.value(row).parse().ok()?)
        } else {
            Child::Segment(segments.value(row).parse().ok()?)
        };
        Some(Edge {
            journey: journeys.value(row).parse().ok()?,
            parent: parents.value(row).parse().ok()?,
            child,
            evidence: evidence.value(row).parse().ok()?,
        })
    };
    (0..rows.num_rows()).map(|row| edge(row).ok_or_else(|| damaged("edges", "an id is none"))).collect()
}
