//! The lake as a store.

use async_trait::async_trait;
use bytes::Bytes;
use clew_model::{Span, TraceId};
use compact_str::CompactString;

use super::engine::Lake;
use crate::{
    Batches, Checkpoint, Field, Filter, Health, Hits, JourneyDetail, JourneyQuery, JourneyRow, Page, Position, Record,
    Result, Right, Run, RunQuery, Series, SpanQuery, SqlLimits, StatisticsQuery, Store, StoreError, Tail, TakenOver,
    TimeRange, Woven,
};

#[async_trait]
impl Store for Lake {
    async fn append(&self, records: Vec<Record>) -> Result<Position> {
        self.take(records).await
    }

    async fn weave(&self, woven: Woven) -> Result<()> {
        self.take_woven(woven)?;
        self.make_room().await
    }

    async fn checkpoint(&self, checkpoint: Checkpoint) -> Result<()> {
        let shared = std::sync::Arc::clone(&self.shared);
        let written = tokio::task::spawn_blocking(move || shared.write_checkpoint(&checkpoint)).await;
        written.map_err(|_| StoreError::Closed)?
    }

    async fn resume(&self) -> Result<Checkpoint> {
        match self.shared.read_checkpoint() {
            Ok((checkpoint, _)) => Ok(checkpoint),
            // What the log holds is woven anew; opening has told so.
            Err(StoreError::Damaged { .. }) => Ok(Checkpoint::default()),
            Err(error) => Err(error),
        }
    }

    async fn replay(&self, after: Position, limit: usize) -> Result<Vec<(Position, Record)>> {
        self.shared.read_records(after, limit.max(1), &self.replayed)
    }

    async fn tail(&self, after: Position, bytes: usize) -> Result<Tail> {
        self.tail_after(after, bytes.max(1)).await
    }

    async fn take_over(&self, frames: Bytes) -> Result<TakenOver> {
        self.keep_relayed(&frames).await
    }

    fn hold(&self, after: Option<Position>) {
        self.shared.segments().held = after.map(|after| after.0);
    }

    async fn journeys(&self, query: &JourneyQuery) -> Result<Page<JourneyRow>> {
        self.list_journeys(query).await
    }

    async fn journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        self.one_journey(id).await
    }

    async fn journey_of(&self, native: TraceId) -> Result<Option<TraceId>> {
        self.journey_of_trace(native).await
    }

    async fn journeys_of(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        self.journeys_of_traces(natives).await
    }

    async fn traces(&self, ids: &[TraceId], at_most: usize) -> Result<Vec<Span>> {
        self.native_traces(ids, at_most).await
    }

    async fn spans(&self, query: &SpanQuery) -> Result<Vec<Span>> {
        self.list_spans(query).await
    }

    async fn hits(&self, query: &SpanQuery, traces: usize) -> Result<Hits> {
        self.list_hits(query, traces).await
    }

    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>> {
        self.list_runs(query).await
    }

    async fn statistics(&self, query: &StatisticsQuery) -> Result<Vec<Series>> {
        self.count(query).await
    }

    async fn values(
        &self,
        field: &Field,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<CompactString>> {
        self.list_values(field, range, filter, limit).await
    }

    async fn keys(
        &self,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<CompactString>, Vec<CompactString>)> {
        self.list_keys(range, filter, limit).await
    }

    async fn rights(&self, cluster: &str, limit: usize) -> Result<Vec<Right>> {
        self.list_rights(cluster, limit).await
    }

    async fn sql(&self, query: &str, limits: SqlLimits) -> Result<Batches> {
        self.run_sql(query, limits).await
    }

    async fn health(&self) -> Result<Health> {
        self.how_it_is().await
    }
}
