//! One journey with all that hangs on it, and the traces that belong to one.

use std::collections::BTreeSet;

use clew_model::{Span, TraceId};
use clew_weave::{Child, Edge};
use datafusion::logical_expr::Expr;
use datafusion::prelude::{col, lit};

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::{Table, edges_from, read_journey};
use super::rows::{plain, run, spans_of, texts};
use super::time::keep;
use crate::{JourneyDetail, Result};

/// How far outside a journey its segments may lie.
pub(super) const SLACK: i64 = 24 * 3600 * 1_000_000_000;
/// How many spans of one trace or journey are given at most.
const SPANS: usize = 200_000;

impl Lake {
    pub(in crate::lake) async fn one_journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        let this = || col("journey_id").eq(lit(id.to_string()));
        let rows = keep(plain(&self.shared, Table::Journeys).await?, this())?;
        let rows = rows.select_columns(&["cluster", "journey"]).map_err(|error| query(&error))?;
        let (rows, edges) = tokio::try_join!(run(rows), self.edges_where(this()))?;
        let Some(row) = rows.iter().find(|rows| rows.num_rows() > 0) else { return Ok(None) };
        let cluster = texts(row, 0)?.into_iter().next().unwrap_or_default();
        let journey = read_journey(&texts(row, 1)?.into_iter().next().unwrap_or_default())?;
        let near = col("start_unix_nano").between(
            lit(journey.start.saturating_sub(SLACK).as_nanos()),
            lit(journey.end.saturating_add(SLACK).as_nanos()),
        );
        let own = self.spans_where(this().and(col("class").eq(lit("journey"))).and(near.clone()));
        let native = self.segments(&journey.segments, near);
        let (native, spans) = tokio::try_join!(native, own)?;
        Ok(Some(JourneyDetail { cluster: cluster.into(), journey, spans, edges, native }))
    }

    pub(in crate::lake) async fn journey_of_trace(&self, native: TraceId) -> Result<Option<TraceId>> {
        if let Some(journey) = self.shared.hot().attached.get(native) {
            return Ok(Some(journey));
        }
        let edges = self.edges_where(col("segment_trace_id").eq(lit(native.to_string()))).await?;
        Ok(edges.first().map(|edge| edge.journey))
    }

    /// From the edges alone: memory knows one journey for each trace only.
    pub(in crate::lake) async fn journeys_of_traces(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        if natives.is_empty() {
            return Ok(Vec::new());
        }
        let traces = natives.iter().map(|trace| lit(trace.to_string())).collect();
        let edges = self.edges_where(col("segment_trace_id").in_list(traces, false)).await?;
        let pair = |edge: Edge| match edge.child {
            Child::Segment(native) => Some((native, edge.journey)),
            Child::Span(_) => None,
        };
        let pairs: BTreeSet<_> = edges.into_iter().filter_map(pair).collect();
        Ok(pairs.into_iter().collect())
    }

    pub(in crate::lake) async fn native_trace(&self, id: TraceId) -> Result<Vec<Span>> {
        let this = col("trace_id").eq(lit(id.to_string())).and(col("class").not_eq(lit("journey")));
        self.spans_where(this).await
    }

    /// The spans of native traces.
    async fn segments(&self, traces: &[TraceId], near: Expr) -> Result<Vec<Span>> {
        if traces.is_empty() {
            return Ok(Vec::new());
        }
        let traces = traces.iter().map(|trace| lit(trace.to_string())).collect();
        let native = col("class").not_eq(lit("journey")).and(col("trace_id").in_list(traces, false));
        self.spans_where(native.and(near)).await
    }

    async fn edges_where(&self, condition: Expr) -> Result<Vec<Edge>> {
        let rows = run(keep(plain(&self.shared, Table::Edges).await?, condition)?).await?;
        let edges: Result<Vec<_>> = rows.iter().map(edges_from).collect();
        Ok(edges?.into_iter().flatten().collect())
    }

    async fn spans_where(&self, condition: Expr) -> Result<Vec<Span>> {
        let rows = keep(plain(&self.shared, Table::Spans).await?, condition)?;
        let mut spans = spans_of(rows, SPANS).await?;
        spans.sort_by_key(|span| (span.start, span.span_id));
        Ok(spans)
    }
}
