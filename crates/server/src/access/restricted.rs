//! A store that answers as if there were nothing but what somebody may read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use clew_model::{Span, TraceId};
use clew_store::{
    Batches, Checkpoint, Column, Comparison, Field, Filter, Health, Hits, JourneyDetail, JourneyQuery, JourneyRow,
    Operand, Page, Position, Record, Result, Right, Rights, Run, RunQuery, Series, SpanQuery, SqlLimits, StatisticsOf,
    StatisticsQuery, Store, StoreError, TimeRange, Woven,
};
use clew_weave::Child;

use compact_str::CompactString;

const READ_ONLY: &str = "who looks changes nothing";
const NO_SQL: &str =
    "SQL shows everything, and you may not read everything: use the other questions, or clew's own token";
const NO_HEALTH: &str = "how the store is concerns all that is in it: use clew's own token";
/// How many journeys may share a trace with one; a trace with more is not shown.
const MOST_SHARING: usize = 1000;

/// The store of one viewer: every question gets one more condition, so that counts, values and searches follow.
pub(crate) struct Restricted {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) rights: Arc<Rights>,
}

impl Restricted {
    fn only(&self, filter: &Filter) -> Filter {
        let readable = Filter::Readable(Arc::clone(&self.rights));
        if *filter == Filter::All { readable } else { Filter::And(vec![readable, filter.clone()]) }
    }

    /// Which of these journeys may be seen.
    async fn shown(&self, ids: &BTreeSet<TraceId>) -> Result<BTreeSet<TraceId>> {
        let is = |id: &TraceId| {
            Filter::Compare(Column::Journey.into(), Comparison::Equal, Operand::Text(id.to_string().into()))
        };
        if ids.is_empty() || ids.len() > MOST_SHARING {
            return Ok(BTreeSet::new());
        }
        let filter = self.only(&Filter::Or(ids.iter().map(is).collect()));
        let query = JourneyQuery { filter, limit: MOST_SHARING, ..JourneyQuery::default() };
        Ok(self.store.journeys(&query).await?.items.iter().map(|row| row.journey.journey).collect())
    }

    /// Each of these native traces that may be seen, with its journeys: all of them may be seen, and there is one.
    async fn shown_in(&self, natives: &[TraceId]) -> Result<BTreeMap<TraceId, BTreeSet<TraceId>>> {
        let mut journeys: BTreeMap<TraceId, BTreeSet<TraceId>> = BTreeMap::new();
        for (native, journey) in self.store.journeys_of(natives).await? {
            journeys.entry(native).or_default().insert(journey);
        }
        let shown = self.shown(&journeys.values().flatten().copied().collect()).await?;
        journeys.retain(|_, journeys| journeys.is_subset(&shown));
        Ok(journeys)
    }
}

#[async_trait]
impl Store for Restricted {
    async fn append(&self, _: Vec<Record>) -> Result<Position> {
        Err(StoreError::Denied(READ_ONLY))
    }

    async fn weave(&self, _: Woven) -> Result<()> {
        Err(StoreError::Denied(READ_ONLY))
    }

    async fn checkpoint(&self, _: Checkpoint) -> Result<()> {
        Err(StoreError::Denied(READ_ONLY))
    }

    async fn resume(&self) -> Result<Checkpoint> {
        Err(StoreError::Denied(READ_ONLY))
    }

    async fn replay(&self, _: Position, _: usize) -> Result<Vec<(Position, Record)>> {
        Err(StoreError::Denied(READ_ONLY))
    }

    async fn journeys(&self, query: &JourneyQuery) -> Result<Page<JourneyRow>> {
        self.store.journeys(&JourneyQuery { filter: self.only(&query.filter), ..query.clone() }).await
    }

    async fn journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        let found = self.store.journey(id).await?;
        let Some(mut detail) = found.filter(|found| self.rights.show(&found.cluster, &found.journey)) else {
            return Ok(None);
        };
        let traces = self.shown_in(&detail.journey.segments).await?;
        detail.journey.segments.retain(|trace| traces.contains_key(trace));
        detail.native.retain(|span| traces.contains_key(&span.trace_id));
        detail.edges.retain(|edge| match edge.child {
            Child::Segment(trace) => traces.contains_key(&trace),
            Child::Span(_) => true,
        });
        Ok(Some(detail))
    }

    async fn journey_of(&self, native: TraceId) -> Result<Option<TraceId>> {
        let journeys = self.store.journeys_of(&[native]).await?.into_iter().map(|(_, journey)| journey).collect();
        Ok(self.shown(&journeys).await?.first().copied())
    }

    async fn journeys_of(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        let traces = self.shown_in(natives).await?;
        Ok(traces.into_iter().flat_map(|(native, ids)| ids.into_iter().map(move |id| (native, id))).collect())
    }

    async fn traces(&self, ids: &[TraceId], at_most: usize) -> Result<Vec<Span>> {
        let shown: Vec<TraceId> = self.shown_in(ids).await?.into_keys().collect();
        self.store.traces(&shown, at_most).await
    }

    async fn spans(&self, query: &SpanQuery) -> Result<Vec<Span>> {
        self.store.spans(&SpanQuery { filter: self.only(&query.filter), ..query.clone() }).await
    }

    async fn hits(&self, query: &SpanQuery, traces: usize) -> Result<Hits> {
        self.store.hits(&SpanQuery { filter: self.only(&query.filter), ..query.clone() }, traces).await
    }

    /// A run is of no namespace, so that nobody has a right to it.
    async fn runs(&self, _: &RunQuery) -> Result<Vec<Run>> {
        Ok(Vec::new())
    }

    async fn statistics(&self, query: &StatisticsQuery) -> Result<Vec<Series>> {
        if query.of == StatisticsOf::Runs {
            return Ok(Vec::new());
        }
        self.store.statistics(&StatisticsQuery { filter: self.only(&query.filter), ..query.clone() }).await
    }

    async fn values(
        &self,
        field: &Field,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<CompactString>> {
        self.store.values(field, range, &self.only(filter), limit).await
    }

    async fn keys(
        &self,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<CompactString>, Vec<CompactString>)> {
        self.store.keys(range, &self.only(filter), limit).await
    }

    async fn rights(&self, cluster: &str, limit: usize) -> Result<Vec<Right>> {
        let all = self.store.rights(cluster, limit).await?;
        let held = |right: &Right| self.rights.suffice(cluster, [right.to_string().as_str()]);
        Ok(all.into_iter().filter(held).collect())
    }

    async fn sql(&self, _: &str, _: SqlLimits) -> Result<Batches> {
        Err(StoreError::Denied(NO_SQL))
    }

    async fn health(&self) -> Result<Health> {
        Err(StoreError::Denied(NO_HEALTH))
    }
}
