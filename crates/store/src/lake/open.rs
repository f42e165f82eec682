//! Opening a lake: what the log holds goes back to memory, and what was begun is ended.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use clew_model::TraceId;

use super::ask::collect;
use super::cold::Cold;
use super::flush::Flushing;
use super::hot::Hot;
use super::intake::{self, Item, Memory};
use super::live::LiveTable;
use super::options::Options;
use super::place::Place;
use super::session::session;
use super::shared::Shared;
use super::table::Table;
use super::written;
use crate::log::{self, Landed, Log, LogOptions, whole};
use crate::{Result, StoreError};

/// An open lake before anything goes on in it.
pub(super) struct Opened {
    pub(super) shared: Arc<Shared>,
    pub(super) log: Log<Item>,
    pub(super) flushing: Flushing,
}

pub(super) async fn open(options: Options) -> Result<Opened> {
    let folder = options.data.join("log");
    fs::create_dir_all(&folder).map_err(|error| log::io("make", &folder, &error))?;
    let lock = lock(&options.data)?;
    let id = identity(&options.data)?;
    let place = Place::of(&options)?;
    let session = session(options.limits.query_bytes)?;
    let mut cold = Vec::new();
    let mut files = Vec::new();
    for table in Table::ALL {
        let opened = Cold::open(table, &place, &options.limits, &session).await?;
        files.push(opened.files().await?);
        cold.push(opened);
    }
    let log_options = LogOptions {
        folder,
        durability: options.durability,
        segment_bytes: options.limits.segment_bytes,
        queue_bytes: options.limits.queue_bytes,
    };
    let shared = Arc::new(Shared::new(options, id, place, session, cold, Hot::new(files), lock));
    for table in Table::ALL {
        let live = LiveTable::new(table, Arc::downgrade(&shared));
        shared.session.register_table(table.name(), Arc::new(live)).map_err(|error| super::fault::query(&error))?;
    }
    let mut flushing = restore(&shared).await?;
    let (segment, sequence) = replay(&shared)?;
    if let Some(work) = &mut flushing.pending {
        shared.hot().complete(work);
        // Some tables have it and some do not: nobody may ask before all have.
        if let Err(error) = shared.flush(&mut flushing, false).await {
            shared.problem(format!("what was on its way into the tables stays in the log: {error}"));
        }
    }
    let log = Log::start(&log_options, segment, sequence, Memory(Arc::clone(&shared)))?;
    Ok(Opened { shared, log, flushing })
}

/// Keeps other processes out of the folder as long as the file is open.
fn lock(data: &Path) -> Result<File> {
    let path = data.join("lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| log::io("open", &path, &error))?;
    file.try_lock().map_err(|_| StoreError::Io {
        doing: "open",
        what: data.display().to_string(),
        reason: "another process has it open; give each process a folder of its own, they may share tables".to_owned(),
    })?;
    Ok(file)
}

/// The name under which this log commits to tables that others may commit to as well.
fn identity(data: &Path) -> Result<String> {
    let path = data.join("id");
    if let Some(bytes) = whole::read(&path)? {
        return String::from_utf8(bytes).map_err(|_| super::fault::damaged("id", "it is no text"));
    }
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| StoreError::Io {
        doing: "make",
        what: path.display().to_string(),
        reason: error.to_string(),
    })?;
    let id = format!("clew-{}", TraceId::from_bytes(random));
    whole::write(&path, id.as_bytes())?;
    Ok(id)
}

/// What the files beside the log say; a damaged one is told and done without.
async fn restore(shared: &Shared) -> Result<Flushing> {
    let (mut flushing, mut flushed, runs) = shared.read_state().unwrap_or_else(|error| {
        shared.problem(error.to_string());
        Default::default()
    });
    for table in Table::ALL {
        let cold = shared.cold(table)?;
        let number = cold.transaction(&shared.id).await?.unwrap_or(0);
        let pending = flushing.pending.as_ref().map_or(0, |work| work.number);
        if number > flushing.number && number != pending {
            flushing.number = number;
        }
        if table == Table::Spans {
            let segment = cold.transaction(&shared.segment_id()).await?.unwrap_or(0);
            flushed = flushed.max(u64::try_from(segment).unwrap_or(0));
        }
    }
    let (checkpoint, journeys) = shared.read_checkpoint().unwrap_or_else(|error| {
        shared.problem(format!("weaving begins anew with what the log holds: {error}"));
        Default::default()
    });
    {
        let mut segments = shared.segments();
        segments.flushed = flushed;
        segments.woven = checkpoint.position.0;
    }
    remember_written(shared).await?;
    let mut hot = shared.hot_mut();
    for (id, journey) in journeys {
        hot.put_journey(id, journey);
    }
    hot.runs.extend(runs.into_iter().map(|run| (run.id, run)));
    Ok(flushing)
}

/// Which journeys are in the lake, the newest ones.
async fn remember_written(shared: &Shared) -> Result<()> {
    let query =
        format!("select journey_id, digest from journeys order by start_unix_nano desc limit {}", written::LIMIT);
    let rows = match collect(shared, &query).await {
        Ok(rows) => rows,
        Err(error) => {
            shared.problem(format!("journeys of the lake may be written again: {error}"));
            return Ok(());
        }
    };
    let mut hot = shared.hot_mut();
    for batch in rows {
        let ids = super::ask::texts(&batch, 0)?;
        let digests = super::ask::texts(&batch, 1)?;
        for (id, digest) in ids.into_iter().zip(digests) {
            if let (Ok(id), Ok(digest)) = (id.parse(), u64::from_str_radix(&digest, 16)) {
                hot.written.insert(id, digest);
            }
        }
    }
    Ok(())
}

/// Puts what the log holds back into memory; gives the numbers of the next segment and record.
fn replay(shared: &Shared) -> Result<(u64, u64)> {
    let folder = shared.log_folder();
    let numbers = log::list(&folder)?;
    let (flushed, mut sequence) = {
        let segments = shared.segments();
        (segments.flushed, segments.woven)
    };
    let split = numbers.partition_point(|number| *number <= flushed);
    for (place, number) in numbers.iter().enumerate() {
        if place == split {
            // What is in the lake is known before what is not is read: the log may hold a span twice.
            remember_recent(shared, &folder);
        }
        let bytes = log::load(&folder, *number)?;
        let mut records = 0;
        let scan = log::scan(&bytes, |frame| {
            records += 1;
            if *number > flushed {
                take(shared, *number, frame);
            }
        });
        if *number <= flushed {
            shared.segments().grew(*number, scan.last.unwrap_or(0), records, scan.bytes);
        }
        sequence = sequence.max(scan.last.unwrap_or(0));
        mend(shared, &folder, *number, &scan);
        shared.hot_mut().seal(*number);
    }
    if split == numbers.len() {
        remember_recent(shared, &folder);
    }
    let next = numbers.last().copied().unwrap_or(0).max(flushed) + 1;
    Ok((next, sequence + 1))
}

/// Remembers what is in the lake already, so that it is known when a client sends it again.
fn remember_recent(shared: &Shared, folder: &Path) {
    let recent = shared.segments().recent();
    for number in recent {
        let Ok(bytes) = log::load(folder, number) else { continue };
        log::scan(&bytes, |frame| shared.hot_mut().remember(&intake::contents(frame.kind, frame.payload)));
    }
}

fn take(shared: &Shared, number: u64, frame: log::frame::Frame<'_>) {
    // A copy: memory keeps requests as they are, and should not keep the whole segment with them.
    let Some(record) = intake::record(frame.kind, Bytes::copy_from_slice(frame.payload)) else { return };
    match intake::item(record) {
        Ok(item) => shared.take(Landed { segment: number, sequence: frame.sequence, item }),
        Err(error) => shared.problem(format!("record {} of segment {number} is not found: {error}", frame.sequence)),
    }
}

/// Cuts a torn tail off, and tells what is damaged.
fn mend(shared: &Shared, folder: &Path, number: u64, scan: &log::Scan) {
    let path = log::path(folder, number);
    if scan.records == 0 && scan.damage.iter().all(|damage| damage.tail) {
        // It was made and nothing was ever acknowledged in it.
        let _ = fs::remove_file(&path);
        return;
    }
    for damage in &scan.damage {
        let what = if damage.tail { "was never acknowledged, or is lost" } else { "is lost; the rest is served" };
        shared.problem(format!(
            "{}: {} bytes at {} are damaged: what they held {what}",
            path.display(),
            damage.bytes,
            damage.at
        ));
    }
    let torn = scan.damage.last().is_some_and(|damage| damage.tail);
    if torn && scan.good >= 16 {
        let cut = OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(scan.good));
        if let Err(error) = cut {
            shared.problem(format!("cannot cut the tail of {}: {error}", path.display()));
        }
    }
}
