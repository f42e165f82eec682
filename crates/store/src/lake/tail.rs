//! The log as other replicas see it: what this store took itself goes out, what they took comes in.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;

use super::engine::Lake;
use super::intake;
use super::shared::Shared;
use crate::log::frame::{self, Found};
use crate::log::{self, SEGMENT_PREFIX};
use crate::{Position, Record, Result, StoreError, Tail, TakenOver};

/// How long whoever follows the log is kept waiting for something new.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many followers' places in the files are remembered; more than that read a segment from its start.
const PLACES: usize = 8;

/// Where followers are in the files, so that a segment that grows is not read from its start each time.
#[derive(Default)]
pub(super) struct Places(Mutex<VecDeque<Place>>);

#[derive(Clone, Copy)]
struct Place {
    after: u64,
    segment: u64,
    offset: u64,
}

impl Places {
    fn take(&self, after: u64) -> Option<Place> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = places.iter().position(|place| place.after == after)?;
        places.remove(found)
    }

    fn put(&self, place: Place) {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.push_back(place);
        if places.len() > PLACES {
            places.pop_front();
        }
    }
}

/// What is gathered for a follower.
struct Gathered {
    frames: Vec<u8>,
    last: u64,
    /// Only what is acknowledged may be given: a crash may write other records in the place of others.
    until: u64,
    most: usize,
}

impl Lake {
    /// Waits until there is something of this store's own after a position.
    pub(super) async fn tail_after(&self, after: Position, most: usize) -> Result<Tail> {
        let end = tokio::time::Instant::now() + PATIENCE;
        let mut newest = self.log.watch();
        let mut from = after.0;
        loop {
            let until = *newest.borrow_and_update();
            if until > from {
                let shared = std::sync::Arc::clone(&self.shared);
                let places = std::sync::Arc::clone(&self.places);
                let read = tokio::task::spawn_blocking(move || shared.own_after(from, until, most, &places)).await;
                let tail = read.map_err(|_| StoreError::Closed)??;
                let moved = tail.last.0 > from;
                from = tail.last.0;
                if !tail.frames.is_empty() {
                    return Ok(tail);
                }
                if moved && tail.behind > 0 {
                    continue;
                }
            }
            if !matches!(tokio::time::timeout_at(end, newest.changed()).await, Ok(Ok(()))) {
                let first = Position(self.shared.segments().first());
                // Less than was asked for if this log is not the one that it was.
                let last = Position(from.min(self.log.last()));
                return Ok(Tail { last, first, ..Tail::default() });
            }
        }
    }

    /// Makes records of another replica durable; notes of what was forwarded are only handed on.
    pub(super) async fn keep_relayed(&self, frames: &Bytes) -> Result<TakenOver> {
        self.has_room()?;
        let mut over = TakenOver::default();
        let mut entries = Vec::new();
        for found in frame::read(frames) {
            let Found::Record(frame) = found else {
                over.unreadable += 1;
                continue;
            };
            let record = intake::record(frame.kind, frames.slice_ref(frame.payload));
            match record.map(|record| (intake::relayed(record.clone()), record)) {
                Some((_, record @ Record::Delivered(_))) => over.records.push(record),
                Some((Ok(entry), record)) => {
                    entries.push(entry);
                    over.records.push(record);
                }
                Some((Err(_), _)) | None => over.unreadable += 1,
            }
        }
        over.position = self.log.append(entries).await.map(Position)?;
        Ok(over)
    }
}

impl Shared {
    /// Up to so many bytes of the store's own records, and how far that went.
    fn own_after(&self, after: u64, until: u64, most: usize, places: &Places) -> Result<Tail> {
        let (numbers, first) = {
            let segments = self.segments();
            (segments.after(after), segments.first())
        };
        let mut gathered = Gathered { frames: Vec::new(), last: after, until, most };
        let place = places.take(after);
        for number in numbers {
            let known = place.filter(|place| place.segment == number).map(|place| place.offset);
            let mut offset = known.unwrap_or(SEGMENT_PREFIX);
            let is_done = self.own_of(number, &mut offset, &mut gathered)?;
            places.put(Place { after: gathered.last, segment: number, offset });
            if is_done {
                break;
            }
        }
        let behind = until.saturating_sub(gathered.last);
        let last = Position(gathered.last);
        Ok(Tail { frames: gathered.frames.into(), last, first: Position(first), behind })
    }

    /// Adds what one segment has from an offset on; true if that is enough.
    fn own_of(&self, number: u64, offset: &mut u64, gathered: &mut Gathered) -> Result<bool> {
        let path = log::path(&self.log_folder(), number);
        let failed = |error: std::io::Error| log::io("read", &path, &error);
        let mut file = File::open(&path).map_err(failed)?;
        let mut window = gathered.most as u64;
        loop {
            file.seek(SeekFrom::Start(*offset)).map_err(failed)?;
            let mut bytes = Vec::new();
            let read = (&file).take(window).read_to_end(&mut bytes).map_err(failed)?;
            let is_all = (read as u64) < window;
            let (used, is_done) = gathered.add(&bytes, is_all);
            *offset += used;
            match (is_done, is_all) {
                (false, true) => return Ok(false),
                (true, _) => return Ok(true),
                // A record that is larger than the window.
                (false, false) if used == 0 => window = window.saturating_mul(4),
                (false, false) => {}
            }
        }
    }
}

impl Gathered {
    /// Adds records; how many bytes were looked at, and whether that is enough.
    fn add(&mut self, bytes: &[u8], is_all: bool) -> (u64, bool) {
        let mut frames = frame::read(bytes);
        let mut used = 0;
        while let Some(found) = frames.next() {
            match found {
                Found::Record(frame) if frame.sequence > self.until => return (used, true),
                Found::Record(frame) => {
                    let is_new = frame.sequence > self.last;
                    self.last = self.last.max(frame.sequence);
                    if is_new && !intake::is_relayed(frame.kind) {
                        let from = usize::try_from(used).unwrap_or(usize::MAX);
                        self.frames.extend_from_slice(bytes.get(from..frames.position()).unwrap_or_default());
                    }
                }
                // The rest of the window, or what is being written just now.
                Found::Damage(damage) if damage.tail && (!is_all || self.last < self.until) => return (used, false),
                Found::Damage(_) => {}
            }
            used = frames.position() as u64;
            if self.frames.len() >= self.most {
                return (used, true);
            }
        }
        (used, self.last >= self.until)
    }
}
