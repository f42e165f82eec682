//! How long journeys of the same kind usually take, asked once a minute for all of them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use clew_model::Time;
use clew_store::{
    Column, Comparison, Field, Filter, JourneyQuery, Operand, Result, Series, StatisticsOf, StatisticsQuery, Store,
    TimeRange,
};
use clew_weave::Journey;
use compact_str::CompactString;

use crate::view::{Usual, object_kind};

/// How old an answer may be.
const FRESH: Duration = Duration::from_mins(1);
/// How far back is looked, from the newest journey.
const BACK: i64 = 7 * 86_400_000_000_000;
/// How many kinds of journeys are told apart.
const MAX_KINDS: usize = 4096;
/// Fewer journeys say nothing about what is usual.
const MIN_COUNT: u64 = 3;
/// How long a request waits for it: a list without it is better than none.
const PATIENCE: Duration = Duration::from_millis(500);

/// What makes two journeys of one kind: cluster, namespace, kind of object, verb.
type Kind = [CompactString; 4];
type Table = HashMap<Kind, Usual>;
/// When it was asked, and the answer.
type Known = (Instant, Arc<Table>);

/// The durations of converged journeys by kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsualDurations(Arc<RwLock<Option<Known>>>);

/// The durations at one moment.
#[derive(Debug, Default)]
pub(crate) struct UsualTable(Arc<Table>);

impl UsualTable {
    /// How long such a journey usually takes, if there were enough of them.
    pub(crate) fn of(&self, cluster: &str, journey: &Journey) -> Option<Usual> {
        let root = &journey.root;
        let kind = [cluster.into(), root.namespace.clone(), object_kind(journey).into(), root.verb.clone()];
        self.0.get(&kind).copied()
    }
}

impl UsualDurations {
    /// The table, at most a minute old; an empty one if the store takes too long.
    pub(crate) async fn table(&self, store: &dyn Store) -> UsualTable {
        if let Some(table) = self.known().filter(|(at, _)| at.elapsed() < FRESH) {
            return UsualTable(table.1);
        }
        let asked = tokio::time::timeout(PATIENCE, ask(store)).await;
        let Ok(Ok(table)) = asked else { return UsualTable::default() };
        let table = Arc::new(table);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), Arc::clone(&table)));
        UsualTable(table)
    }

    /// What was last asked, however old: for those who cannot wait.
    pub(crate) fn last(&self) -> UsualTable {
        self.known().map_or_else(UsualTable::default, |(_, table)| UsualTable(table))
    }

    fn known(&self) -> Option<Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn ask(store: &dyn Store) -> Result<Table> {
    let newest = store.journeys(&JourneyQuery { limit: 1, ..JourneyQuery::default() }).await?;
    let Some(newest) = newest.items.first().map(|row| row.journey.start) else { return Ok(Table::new()) };
    let series = store.statistics(&query(newest)).await?;
    Ok(series.into_iter().filter_map(usual).collect())
}

fn query(newest: Time) -> StatisticsQuery {
    let converged = Filter::Compare(Column::State.into(), Comparison::Equal, Operand::Text("converged".into()));
    let by = [Column::Cluster, Column::Namespace, Column::Kind, Column::Verb];
    StatisticsQuery {
        of: StatisticsOf::Journeys,
        range: TimeRange { from: Some(newest.saturating_sub(BACK)), to: None },
        filter: converged,
        by: by.into_iter().map(Field::Column).collect(),
        bucket: None,
        limit: MAX_KINDS,
    }
}

fn usual(series: Series) -> Option<(Kind, Usual)> {
    let key: Vec<CompactString> = series.key.into_iter().map(Option::unwrap_or_default).collect();
    let bucket = series.buckets.first().filter(|bucket| bucket.count >= MIN_COUNT)?;
    let duration = bucket.duration?;
    let usual = Usual { p50_ms: duration.p50 / 1e6, p95_ms: duration.p95 / 1e6, count: bucket.count };
    Some((key.try_into().ok()?, usual))
}
