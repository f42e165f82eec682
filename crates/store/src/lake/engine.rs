//! The engine: an open lake.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;

use super::background;
use super::checkpoint::Replayed;
use super::flush::Flushing;
use super::hot_journey::HotJourney;
use super::intake::{Item, entry};
use super::open;
use super::options::Options;
use super::shared::Shared;
use super::tail::Places;
use crate::log::Log;
use crate::{Position, Record, Result, StoreError, Woven};

/// The engine: recent data in a log and in memory, the rest in tables of Delta Lake.
pub struct Lake {
    pub(super) shared: Arc<Shared>,
    pub(super) log: Arc<Log<Item>>,
    pub(super) flushing: Arc<Mutex<Flushing>>,
    pub(super) replayed: Replayed,
    /// Where those are who follow the log.
    pub(super) places: Arc<Places>,
    wake: Arc<Notify>,
    background: [JoinHandle<()>; 2],
}

impl std::fmt::Debug for Lake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.shared.fmt(f)
    }
}

impl Lake {
    /// Opens a lake; makes it if it is not there. Its folder belongs to one process at a time; its tables may belong to several.
    pub async fn open(options: Options) -> Result<Self> {
        let open::Opened { shared, log, flushing } = open::open(options).await?;
        let (log, flushing, wake) = (Arc::new(log), Arc::new(Mutex::new(flushing)), Arc::new(Notify::new()));
        let work = background::run(Arc::clone(&shared), Arc::clone(&log), Arc::clone(&flushing), Arc::clone(&wake));
        let background = [tokio::spawn(work), tokio::spawn(background::tidy(Arc::clone(&shared)))];
        Ok(Self { shared, log, flushing, replayed: Replayed::default(), places: Arc::default(), wake, background })
    }

    /// Moves all that memory has into the tables. A journey that goes on is replaced there when it changes.
    pub async fn flush(&self) -> Result<()> {
        self.log.seal().await?;
        let mut flushing = self.flushing.lock().await;
        while self.shared.flush(&mut flushing, true).await? {}
        Ok(())
    }

    /// Ends the work in the background and moves what is sealed into the tables; what memory still has is in the log.
    pub async fn close(&self) -> Result<()> {
        self.background.iter().for_each(JoinHandle::abort);
        self.log.seal().await?;
        let mut flushing = self.flushing.lock().await;
        while self.shared.flush(&mut flushing, false).await? {}
        Ok(())
    }

    /// The name of this store, which no other has.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// The place of the last record that is safe.
    pub fn last(&self) -> Position {
        Position(self.log.last())
    }

    /// Where its tables are.
    pub fn tables(&self) -> &str {
        self.shared.place.root()
    }

    pub(super) async fn take(&self, records: Vec<Record>) -> Result<Position> {
        self.has_room()?;
        let entries = records.into_iter().map(entry).collect::<Result<Vec<_>>>()?;
        self.log.append(entries).await.map(Position)
    }

    /// Refuses while memory is full.
    pub(super) fn has_room(&self) -> Result<()> {
        if self.shared.hot().bytes() > self.shared.options.limits.hot_bytes {
            self.wake.notify_one();
            self.shared.dropped("requests refused while memory was full", 1);
            let retry_after = Duration::from_secs(1);
            return Err(StoreError::Full {
                what: "recent data waits to be written to the tables".to_owned(),
                retry_after,
            });
        }
        Ok(())
    }

    /// Whoever brings more journeys than memory has room for waits until some are in the tables.
    pub(super) async fn make_room(&self) -> Result<()> {
        if !self.shared.hot().is_crowded(&self.shared.options.limits) {
            return Ok(());
        }
        let mut flushing = self.flushing.lock().await;
        self.shared.flush(&mut flushing, false).await?;
        Ok(())
    }

    pub(super) fn take_woven(&self, woven: Woven) -> Result<()> {
        let Woven { cluster, upserts } = woven;
        let mut journeys = Vec::with_capacity(upserts.journeys.len());
        let (mut spans, mut edges) = (upserts.spans, upserts.edges);
        spans.sort_by_key(|span| span.trace_id);
        edges.sort_by_key(|edge| edge.journey);
        for journey in &upserts.journeys {
            let id = journey.journey;
            let from = spans.partition_point(|span| span.trace_id < id);
            let to = spans.partition_point(|span| span.trace_id <= id);
            let first = edges.partition_point(|edge| edge.journey < id);
            let last = edges.partition_point(|edge| edge.journey <= id);
            journeys.push((id, HotJourney::new(&cluster, journey, &spans[from..to], &edges[first..last])?));
        }
        let mut hot = self.shared.hot_mut();
        for id in upserts.retired {
            hot.retire(id);
        }
        for (id, journey) in journeys {
            hot.put_journey(id, journey);
        }
        Ok(())
    }
}

impl Drop for Lake {
    fn drop(&mut self) {
        self.background.iter().for_each(JoinHandle::abort);
        // What was aborted lets go of the rest in its own time; the folder is free at once.
        self.shared.unlock();
    }
}
