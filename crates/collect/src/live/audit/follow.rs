//! Following the API server's audit log, over rotations and restarts.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clew_store::StoreError;
use compact_str::CompactString;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::events::{Batch, Events};
use crate::audit::{Look, Place, Tail};
use crate::lines::MAX_LINE;
use crate::live::{Parts, SourceHandle, SourceKind, file};

/// How long to wait when there is nothing new.
const POLL: Duration = Duration::from_millis(100);
/// How long to wait when the file cannot be read, or the store refuses.
const RETRY: Duration = Duration::from_secs(2);
/// How often the place in the file is kept: a crash makes this much to be read again, and nothing to be told twice.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Which log is followed.
#[derive(Debug, Clone)]
pub struct LogSettings {
    /// The cluster whose log it is.
    pub cluster: CompactString,
    /// The file.
    pub path: PathBuf,
    /// Whether the first run reads what the file holds already; later ones always go on where the last one was.
    pub from_start: bool,
}

/// Follows the log until `stop` becomes true.
pub async fn follow(settings: LogSettings, parts: Parts, mut stop: watch::Receiver<bool>) {
    let source = parts.sources.of(&settings.cluster, SourceKind::Audit, "log");
    let kept = parts.folder.as_deref().map(|folder| place_file(folder, &settings.cluster));
    let (tail, is_whole) = open(&settings, kept.as_deref());
    if !is_whole {
        source.dropped(1);
    }
    let mut follower = Follower {
        tail,
        kept,
        events: Events::new(parts.redactor.clone()),
        parts,
        source,
        settings,
        durable: None,
        saved: None,
    };
    tokio::select! {
        () = follower.run() => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    follower.save();
}

fn place_file(folder: &Path, cluster: &str) -> PathBuf {
    folder.join("audit").join(file::name_of(cluster, "place"))
}

/// The log where the last run was; false if lines may be lost.
fn open(settings: &LogSettings, kept: Option<&Path>) -> (Tail, bool) {
    let place = kept.and_then(|kept| file::read(kept).ok().flatten());
    let place = place.and_then(|bytes| postcard::from_bytes::<Place>(&bytes).ok());
    let resumed = place.and_then(|place| Tail::resume(&settings.path, MAX_LINE, place).ok());
    resumed.unwrap_or_else(|| {
        let tail = if settings.from_start { Tail::at_start } else { Tail::at_end };
        (tail(&settings.path, MAX_LINE), true)
    })
}

struct Follower {
    tail: Tail,
    kept: Option<PathBuf>,
    events: Events,
    parts: Parts,
    source: SourceHandle,
    settings: LogSettings,
    /// All before this place is durable.
    durable: Option<Place>,
    saved: Option<Place>,
}

impl Follower {
    /// Runs until the store is closed.
    async fn run(&mut self) {
        let mut next_save = Instant::now() + SAVE_EVERY;
        loop {
            // Short reads of a local file, most of them from the page cache: not worth a thread.
            match self.tail.look() {
                Ok(look) => {
                    if self.keep(&look).await.is_err() {
                        self.source.failed("the store is closed: nothing more is taken");
                        return;
                    }
                    if !look.more {
                        self.tell();
                        sleep(POLL).await;
                    }
                }
                Err(error) => {
                    self.source.waiting(self.cannot_read(&error));
                    sleep(RETRY).await;
                }
            }
            if Instant::now() >= next_save {
                self.save();
                next_save = Instant::now() + SAVE_EVERY;
            }
        }
    }

    /// Makes a piece durable, however long that takes: the file remembers meanwhile.
    async fn keep(&mut self, look: &Look) -> Result<(), StoreError> {
        let mut batch = Batch { bad: look.completed.bad, ..Batch::default() };
        for line in &look.completed.lines {
            self.events.add(line, &mut batch);
        }
        self.source.dropped(batch.bad);
        let Batch { facts, keys, .. } = batch;
        let count = facts.len() as u64;
        while !facts.is_empty() {
            match self.parts.intake.facts(&self.settings.cluster, facts.clone()).await {
                Ok(()) => break,
                Err(StoreError::Closed) => return Err(StoreError::Closed),
                Err(error) => self.source.waiting(format!("nothing is lost, but nothing is kept either: {error}")),
            }
            sleep(RETRY).await;
        }
        self.events.are_durable(keys);
        if count > 0 {
            self.source.seen(count);
        }
        if look.more || self.durable.is_none() {
            self.durable = self.tail.place().ok().flatten();
        }
        Ok(())
    }

    fn tell(&self) {
        if self.tail.is_open() {
            self.source.up();
        } else {
            self.source.waiting(format!("waits for {}, which is not there yet", self.settings.path.display()));
        }
    }

    fn save(&mut self) {
        let Some(kept) = self.kept.as_deref() else { return };
        let Some(place) = self.durable.filter(|place| self.saved != Some(*place)) else { return };
        let written =
            postcard::to_allocvec(&place).map_err(io::Error::other).and_then(|bytes| file::write(kept, &bytes));
        match written {
            Ok(()) => self.saved = Some(place),
            Err(error) => self.source.waiting(format!("cannot keep the place in the log: {error}")),
        }
    }

    fn cannot_read(&self, error: &io::Error) -> String {
        format!("cannot read {}, trying on: {error}", self.settings.path.display())
    }
}
