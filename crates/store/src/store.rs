//! The one trait of a store.

use std::collections::BTreeSet;

use arrow_array::RecordBatch;
use async_trait::async_trait;
use bytes::Bytes;
use clew_model::{Span, TraceId};
use compact_str::CompactString;

use crate::answer::{Health, Hit, Hits, JourneyDetail, JourneyRow, Page, Series};
use crate::error::{Result, StoreError};
use crate::filter::{Field, Filter};
use crate::query::{JourneyQuery, RunQuery, SpanQuery, SqlLimits, StatisticsQuery, TimeRange};
use crate::record::{Checkpoint, Position, Record, Run, Tail, TakenOver, Woven};
use crate::rights::Right;

/// The scope of the spans that clew makes.
const WOVEN: &str = "clew";

/// How many spans of one trace or journey are given at most.
pub(crate) const TRACE_SPANS: usize = 200_000;

/// The answer to a SQL query.
pub type Batches = Vec<RecordBatch>;

/// Keeps what came in and finds it again. Every answer has recent and old data together.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Makes records durable; what it took is safe when this returns, and found by queries. Gives the last one's place.
    async fn append(&self, records: Vec<Record>) -> Result<Position>;
    /// Takes what the weaver made. It follows from the records, so it need not be durable on its own.
    async fn weave(&self, woven: Woven) -> Result<()>;
    /// Keeps the weavers' memory: records up to its position need not be woven again.
    async fn checkpoint(&self, checkpoint: Checkpoint) -> Result<()>;
    /// The last checkpoint; an empty one if there is none.
    async fn resume(&self) -> Result<Checkpoint>;
    /// Up to so many records after a position, in their order: what a restart weaves again, span requests among them.
    async fn replay(&self, after: Position, limit: usize) -> Result<Vec<(Position, Record)>>;

    /// About so many bytes of what this store took itself after a position, for another replica; waits a while for more.
    async fn tail(&self, _after: Position, _bytes: usize) -> Result<Tail> {
        Err(StoreError::Query("this store has no log that others could follow".to_owned()))
    }
    /// Makes a piece of another replica's log durable. It is never given on.
    async fn take_over(&self, _frames: Bytes) -> Result<TakenOver> {
        Err(StoreError::Query("this store has no log that others could fill".to_owned()))
    }
    /// Keeps records after a position in the log for replicas that were away, within its limit; none for no replica.
    fn hold(&self, _after: Option<Position>) {}

    /// Journeys, newest first.
    async fn journeys(&self, query: &JourneyQuery) -> Result<Page<JourneyRow>>;
    /// One journey with its spans, edges and segments.
    async fn journey(&self, id: TraceId) -> Result<Option<JourneyDetail>>;
    /// The journey that a native trace belongs to.
    async fn journey_of(&self, native: TraceId) -> Result<Option<TraceId>>;
    /// Every journey that each of these native traces belongs to, as pairs: the requests of one command share a trace.
    async fn journeys_of(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>>;
    /// The spans of one native trace, as received.
    async fn trace(&self, id: TraceId) -> Result<Vec<Span>> {
        self.traces(&[id], TRACE_SPANS).await
    }
    /// So many of the spans of native traces at most, as received, in the order of their beginnings.
    async fn traces(&self, ids: &[TraceId], at_most: usize) -> Result<Vec<Span>>;
    /// Spans, newest first.
    async fn spans(&self, query: &SpanQuery) -> Result<Vec<Span>>;
    /// Where such spans are, newest first. Once they are of so many traces, no older ones need be looked for.
    async fn hits(&self, query: &SpanQuery, traces: usize) -> Result<Hits> {
        let hit = |span: Span| Hit { trace: span.trace_id, start: span.start, woven: &*span.scope == WOVEN };
        let mut hits: Vec<Hit> = self.spans(query).await?.into_iter().map(hit).collect();
        let mut ids = BTreeSet::new();
        let is_enough = |hit: &Hit| {
            ids.insert(hit.trace);
            ids.len() >= traces
        };
        let wanted = hits.iter().position(is_enough).map_or(hits.len(), |last| last + 1);
        let more = wanted < hits.len() || hits.len() >= query.limit;
        hits.truncate(wanted);
        Ok(Hits { hits, more })
    }
    /// The runs of traced commands, newest first.
    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>>;
    /// Counts and percentiles.
    async fn statistics(&self, query: &StatisticsQuery) -> Result<Vec<Series>>;
    /// The distinct values of a field, in their order; at most so many.
    async fn values(
        &self,
        field: &Field,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<CompactString>>;
    /// The keys of span attributes, and those of resources; at most so many each.
    async fn keys(
        &self,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<CompactString>, Vec<CompactString>)>;
    /// The rights that the journeys of a cluster need, each once; at most so many.
    async fn rights(&self, cluster: &str, limit: usize) -> Result<Vec<Right>>;
    /// A read-only SQL query over `spans`, `journeys`, `edges`, `runs`.
    async fn sql(&self, query: &str, limits: SqlLimits) -> Result<Batches>;

    /// How the store is.
    async fn health(&self) -> Result<Health>;
}
