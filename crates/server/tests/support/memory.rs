//! A store that holds everything in memory and walks over all of it for every question.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clew_collect::replay::Replayed;
use clew_model::{Attributes, Span, StatusCode, Time, TraceId};
use clew_server::matching::{Matcher, Subject, Verdict};
use clew_store::{
    Batches, Checkpoint, Cursor, Field, Filter, Health, JourneyDetail, JourneyQuery, JourneyRow, Page, Position,
    Record, Result, Right, Rights, Run, RunQuery, Series, SpanQuery, SqlLimits, StatisticsOf, StatisticsQuery, Store,
    StoreError, TimeRange, Woven,
};
use compact_str::CompactString;

use super::statistics::{Measured, fields, series};

/// The store.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) details: Vec<JourneyDetail>,
    pub(crate) native: Vec<Span>,
    pub(crate) runs: Vec<Run>,
    /// What every question is answered with instead, if it is there.
    pub(crate) broken: Option<fn() -> StoreError>,
}

impl Memory {
    /// Takes what a replay gave.
    pub(crate) fn of(cluster: &str, replayed: Replayed) -> Self {
        let mut details: Vec<JourneyDetail> = Vec::new();
        for journey in replayed.journeys {
            let id = journey.journey;
            let native = replayed.native.iter().filter(|span| journey.segments.contains(&span.trace_id));
            details.push(JourneyDetail {
                cluster: cluster.into(),
                spans: replayed.spans.iter().filter(|span| span.trace_id == id).cloned().collect(),
                edges: replayed.edges.iter().filter(|edge| edge.journey == id).cloned().collect(),
                native: native.cloned().collect(),
                journey,
            });
        }
        details.sort_by_key(|detail| std::cmp::Reverse((detail.journey.start, detail.journey.journey)));
        Self { details, native: replayed.native, ..Self::default() }
    }

    fn check(&self) -> Result<()> {
        self.broken.map_or(Ok(()), |broken| Err(broken()))
    }

    fn chosen(&self, filter: &Filter, range: TimeRange) -> Result<Vec<&JourneyDetail>> {
        self.check()?;
        let matcher = Matcher::new(filter).ok_or_else(|| StoreError::Query("bad filter".into()))?;
        let holds = |detail: &&JourneyDetail| {
            let subject = Subject { cluster: &detail.cluster, journey: &detail.journey, spans: &detail.spans };
            is_in(range, detail.journey.start) && matcher.journey(&subject) == Verdict::Yes
        };
        Ok(self.details.iter().filter(holds).collect())
    }

    fn chosen_spans(&self, filter: &Filter, range: TimeRange) -> Result<Vec<&Span>> {
        self.check()?;
        let (rights, filter) = split(filter);
        let matcher = Matcher::new(&filter).ok_or_else(|| StoreError::Query("bad filter".into()))?;
        let woven = self.details.iter().flat_map(|detail| &detail.spans);
        let holds = |span: &&Span| is_in(range, span.start) && matcher.span("lab", span) && self.shows(rights, span);
        let mut spans: Vec<&Span> = woven.chain(&self.native).filter(holds).collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        Ok(spans)
    }

    /// Whether every journey that a span is part of may be seen, and there is one.
    fn shows(&self, rights: Option<&Rights>, span: &Span) -> bool {
        let Some(rights) = rights else { return true };
        let is_of = |detail: &&JourneyDetail| {
            detail.journey.journey == span.trace_id || detail.journey.segments.contains(&span.trace_id)
        };
        let mut journeys = self.details.iter().filter(is_of).peekable();
        journeys.peek().is_some() && journeys.all(|detail| rights.show(&detail.cluster, &detail.journey))
    }
}

/// Who asks, apart from what is asked.
fn split(filter: &Filter) -> (Option<&Rights>, Filter) {
    match filter {
        Filter::Readable(rights) => (Some(rights), Filter::All),
        Filter::And(both) => match both.as_slice() {
            [Filter::Readable(rights), rest] => (Some(rights), rest.clone()),
            _ => (None, filter.clone()),
        },
        _ => (None, filter.clone()),
    }
}

fn is_in(range: TimeRange, time: Time) -> bool {
    range.from.is_none_or(|from| time >= from) && range.to.is_none_or(|to| time < to)
}

fn row(detail: &JourneyDetail) -> JourneyRow {
    let errors = detail.spans.iter().filter(|span| span.status.code == StatusCode::Error).count() as u64;
    JourneyRow { cluster: detail.cluster.clone(), journey: detail.journey.clone(), errors }
}

#[async_trait]
impl Store for Memory {
    async fn append(&self, _: Vec<Record>) -> Result<Position> {
        Err(StoreError::Closed)
    }

    async fn weave(&self, _: Woven) -> Result<()> {
        Err(StoreError::Closed)
    }

    async fn checkpoint(&self, _: Checkpoint) -> Result<()> {
        Err(StoreError::Closed)
    }

    async fn resume(&self) -> Result<Checkpoint> {
        Err(StoreError::Closed)
    }

    async fn replay(&self, _: Position, _: usize) -> Result<Vec<(Position, Record)>> {
        Err(StoreError::Closed)
    }

    async fn journeys(&self, query: &JourneyQuery) -> Result<Page<JourneyRow>> {
        let all = self.chosen(&query.filter, query.range)?;
        let place = |detail: &JourneyDetail| (detail.journey.start, detail.journey.journey);
        let after = query.after.map(|cursor| (cursor.start, cursor.journey));
        let mut rest = all.into_iter().filter(|detail| after.is_none_or(|after| place(detail) < after));
        let items: Vec<JourneyRow> = rest.by_ref().take(query.limit).map(row).collect();
        let last = items.last().map(|row| Cursor { start: row.journey.start, journey: row.journey.journey });
        Ok(Page { next: rest.next().and(last), items })
    }

    async fn journey(&self, id: TraceId) -> Result<Option<JourneyDetail>> {
        self.check()?;
        Ok(self.details.iter().find(|detail| detail.journey.journey == id).cloned())
    }

    async fn journey_of(&self, native: TraceId) -> Result<Option<TraceId>> {
        let found = self.details.iter().find(|detail| detail.journey.segments.contains(&native));
        Ok(found.map(|detail| detail.journey.journey))
    }

    async fn journeys_of(&self, natives: &[TraceId]) -> Result<Vec<(TraceId, TraceId)>> {
        let pairs = self
            .details
            .iter()
            .flat_map(|detail| detail.journey.segments.iter().map(move |segment| (*segment, detail.journey.journey)));
        Ok(pairs.filter(|(native, _)| natives.contains(native)).collect())
    }

    async fn traces(&self, ids: &[TraceId], at_most: usize) -> Result<Vec<Span>> {
        Ok(self.native.iter().filter(|span| ids.contains(&span.trace_id)).take(at_most).cloned().collect())
    }

    async fn spans(&self, query: &SpanQuery) -> Result<Vec<Span>> {
        let spans = self.chosen_spans(&query.filter, query.range)?.into_iter();
        let wanted = spans.filter(|span| query.woven || &*span.scope != "clew");
        Ok(wanted.take(query.limit).cloned().collect())
    }

    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>> {
        let wanted = self.runs.iter().filter(|run| {
            is_in(query.range, run.start)
                && query.command.as_ref().is_none_or(|command| run.command == *command)
                && query.version.as_ref().is_none_or(|version| run.version == *version)
        });
        Ok(wanted.take(query.limit).cloned().collect())
    }

    async fn statistics(&self, query: &StatisticsQuery) -> Result<Vec<Series>> {
        let measured: Vec<Measured> = match query.of {
            StatisticsOf::Journeys => {
                let chosen = self.chosen(&query.filter, query.range)?;
                chosen.into_iter().map(|detail| Measured::journey(detail, &query.by)).collect()
            }
            StatisticsOf::Spans => {
                let chosen = self.chosen_spans(&query.filter, query.range)?;
                chosen.into_iter().map(|span| Measured::span(span, &query.by)).collect()
            }
            StatisticsOf::Runs => self.runs.iter().map(Measured::run).collect(),
        };
        Ok(series(measured, query.bucket, query.limit))
    }

    async fn values(
        &self,
        field: &Field,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<CompactString>> {
        let mut values = BTreeSet::new();
        for detail in self.chosen(filter, range)? {
            values.extend(fields(detail, field));
        }
        Ok(values.into_iter().take(limit).collect())
    }

    async fn keys(
        &self,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<CompactString>, Vec<CompactString>)> {
        let spans = self.chosen_spans(filter, range)?;
        let keys = |of: fn(&Span) -> &Attributes| {
            let all: BTreeSet<&CompactString> =
                spans.iter().flat_map(|span| of(span).iter()).map(|(key, _)| key).collect();
            all.into_iter().take(limit).cloned().collect()
        };
        Ok((keys(|span| &span.attributes), keys(|span| &span.resource)))
    }

    async fn rights(&self, cluster: &str, limit: usize) -> Result<Vec<Right>> {
        let of_cluster = self.details.iter().filter(|detail| detail.cluster == cluster);
        let all: BTreeSet<Right> = of_cluster.flat_map(|detail| Right::needed(&detail.journey)).collect();
        Ok(all.into_iter().take(limit).collect())
    }

    async fn sql(&self, _: &str, _: SqlLimits) -> Result<Batches> {
        Err(StoreError::Query("this store speaks no SQL".into()))
    }

    async fn health(&self) -> Result<Health> {
        self.check()?;
        Ok(Health { location: "memory".into(), drops: vec![("too large".into(), 2)], ..Health::default() })
    }
}
