//! One journey with all that hangs on it, and the traces that belong to one.

use std::collections::BTreeSet;

use clew_model::{Span, TraceId};
use clew_weave::{Child, Edge};

use super::super::by_id::ById;
use super::super::engine::Lake;
use super::super::table::{EDGE_OF, Table, edges_from, read_journey};
use super::rows::texts;
use crate::store::TRACE_SPANS;
use crate::{JourneyDetail, Result};

/// How far outside a journey its segments may lie.
pub(super) const SLACK: i64 = 24 * 3600 * 1_000_000_000;

impl Lake {
    pub(in crate::lake) async fn one_journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        let this = || ById::new("journey_id", [id]);
        let rows = self.rows_by_id(Table::Journeys, this(), &["cluster", "journey"]);
        let (rows, edges) = tokio::try_join!(rows, self.edges_by_id(this()))?;
        let Some(row) = rows.iter().find(|rows| rows.num_rows() > 0) else { return Ok(None) };
        let cluster = texts(row, 0)?.into_iter().next().unwrap_or_default();
        let journey = read_journey(&texts(row, 1)?.into_iter().next().unwrap_or_default())?;
        let (earliest, latest) = (journey.start.saturating_sub(SLACK), journey.end.saturating_add(SLACK));
        let near = |asked: ById| asked.near(earliest.as_nanos(), latest.as_nanos());
        let native = self.sorted(near(ById::new("trace_id", &journey.segments).native()), TRACE_SPANS);
        let own = self.sorted(near(this().woven()), TRACE_SPANS);
        let (native, spans) = tokio::try_join!(native, own)?;
        Ok(Some(JourneyDetail { cluster: cluster.into(), journey, spans, edges, native }))
    }

    pub(in crate::lake) async fn journey_of_trace(&self, native: TraceId) -> Result<Option<TraceId>> {
        if let Some(journey) = self.shared.hot().attached.get(native) {
            return Ok(Some(journey));
        }
        let edges = self.edges_by_id(ById::new("segment_trace_id", [native])).await?;
        Ok(edges.first().map(|edge| edge.journey))
    }

    /// From the edges alone: memory knows one journey for each trace only.
    pub(in crate::lake) async fn journeys_of_traces(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        if natives.is_empty() {
            return Ok(Vec::new());
        }
        let edges = self.edges_by_id(ById::new("segment_trace_id", natives)).await?;
        let pair = |edge: Edge| match edge.child {
            Child::Segment(native) => Some((native, edge.journey)),
            Child::Span(_) => None,
        };
        let pairs: BTreeSet<_> = edges.into_iter().filter_map(pair).collect();
        Ok(pairs.into_iter().collect())
    }

    pub(in crate::lake) async fn native_traces(&self, ids: &[TraceId], at_most: usize) -> Result<Vec<Span>> {
        self.sorted(ById::new("trace_id", ids).native(), at_most).await
    }

    async fn edges_by_id(&self, asked: ById) -> Result<Vec<Edge>> {
        let rows = self.rows_by_id(Table::Edges, asked, &EDGE_OF).await?;
        let edges: Result<Vec<_>> = rows.iter().map(edges_from).collect();
        Ok(edges?.into_iter().flatten().collect())
    }

    /// Spans in the order of their beginnings.
    async fn sorted(&self, asked: ById, at_most: usize) -> Result<Vec<Span>> {
        let mut spans = self.spans_by_id(asked, at_most).await?;
        spans.sort_by_key(|span| (span.start, span.span_id));
        Ok(spans)
    }
}
