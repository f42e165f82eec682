//! A store that only remembers what was handed in, and can be told to be full.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use clew_model::{Span, TraceId};
use clew_store::{
    Batches, Checkpoint, Field, Filter, Health, JourneyDetail, JourneyQuery, JourneyRow, Page, Position, Record,
    Result, Right, Run, RunQuery, Series, SpanQuery, SqlLimits, StatisticsQuery, Store, StoreError, TimeRange, Woven,
};
use clew_weave::fact::Fact;
use compact_str::CompactString;

/// Keeps records in memory.
#[derive(Default)]
pub(crate) struct MemoryStore {
    records: Mutex<Vec<Record>>,
    journeys: Mutex<std::collections::HashMap<TraceId, JourneyDetail>>,
    full: AtomicBool,
    forgetful: AtomicBool,
}

impl MemoryStore {
    pub(crate) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// From now on takes everything and keeps nothing, so that its memory is not measured with a source's.
    pub(crate) fn forget_all(&self) {
        self.forgetful.store(true, Ordering::Relaxed);
    }

    /// Has a journey, to be asked for.
    pub(crate) fn set_journey(&self, detail: JourneyDetail) {
        self.journeys.lock().expect("lock").insert(detail.journey.journey, detail);
    }

    /// The OTLP requests so far, in their order.
    pub(crate) fn requests(&self) -> Vec<bytes::Bytes> {
        let records = self.records.lock().expect("lock");
        let requests = records.iter().filter_map(|record| match record {
            Record::Spans(request) => Some(request.clone()),
            Record::Checked(spans) => Some(spans.request().clone()),
            _ => None,
        });
        requests.collect()
    }

    /// What a forwarder noted so far, in its order.
    pub(crate) fn notes(&self) -> Vec<bytes::Bytes> {
        let records = self.records.lock().expect("lock");
        let notes = records.iter().filter_map(|record| match record {
            Record::Delivered(note) => Some(note.clone()),
            _ => None,
        });
        notes.collect()
    }

    /// The facts of a cluster so far, in their order.
    pub(crate) fn facts(&self, of: &str) -> Vec<Fact> {
        let records = self.records.lock().expect("lock");
        let mut all = Vec::new();
        for record in records.iter() {
            if let Record::Facts { cluster, facts } = record
                && cluster == of
            {
                all.extend(postcard::from_bytes::<Vec<Fact>>(facts).expect("facts"));
            }
        }
        all
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn append(&self, new: Vec<Record>) -> Result<Position> {
        if self.full.load(Ordering::Relaxed) {
            return Err(StoreError::Full { what: "the test".to_owned(), retry_after: Duration::from_secs(2) });
        }
        if self.forgetful.load(Ordering::Relaxed) {
            return Ok(Position(0));
        }
        let mut records = self.records.lock().expect("lock");
        records.extend(new);
        Ok(Position(records.len() as u64))
    }

    async fn weave(&self, _: Woven) -> Result<()> {
        Ok(())
    }

    async fn checkpoint(&self, _: Checkpoint) -> Result<()> {
        Ok(())
    }

    async fn resume(&self) -> Result<Checkpoint> {
        unasked()
    }

    async fn replay(&self, _: Position, _: usize) -> Result<Vec<(Position, Record)>> {
        unasked()
    }

    async fn journeys(&self, _: &JourneyQuery) -> Result<Page<JourneyRow>> {
        unasked()
    }

    async fn journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        if self.full.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        Ok(self.journeys.lock().expect("lock").get(&id).cloned())
    }

    async fn journey_of(&self, _: TraceId) -> Result<Option<TraceId>> {
        unasked()
    }

    async fn journeys_of(&self, _: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        unasked()
    }

    async fn traces(&self, _: &[TraceId], _: usize) -> Result<Vec<Span>> {
        unasked()
    }

    async fn spans(&self, _: &SpanQuery) -> Result<Vec<Span>> {
        unasked()
    }

    async fn runs(&self, _: &RunQuery) -> Result<Vec<Run>> {
        unasked()
    }

    async fn statistics(&self, _: &StatisticsQuery) -> Result<Vec<Series>> {
        unasked()
    }

    async fn values(&self, _: &Field, _: TimeRange, _: &Filter, _: usize) -> Result<Vec<CompactString>> {
        unasked()
    }

    async fn keys(&self, _: TimeRange, _: &Filter, _: usize) -> Result<(Vec<CompactString>, Vec<CompactString>)> {
        unasked()
    }

    async fn rights(&self, _: &str, _: usize) -> Result<Vec<Right>> {
        unasked()
    }

    async fn sql(&self, _: &str, _: SqlLimits) -> Result<Batches> {
        unasked()
    }

    async fn health(&self) -> Result<Health> {
        unasked()
    }
}

/// Sources only hand in.
fn unasked<T>() -> Result<T> {
    Err(StoreError::Query("a source asks the store nothing".to_owned()))
}
