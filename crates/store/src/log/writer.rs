//! The one thread that writes the log: it commits for all who wait at once.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{oneshot, watch};

use super::frame;
use super::options::{Durability, LogOptions};
use super::segment::{self, PREFIX, io};
use crate::{Result, StoreError};

/// How many calls may wait; each is bounded in bytes, too.
const QUEUE: usize = 4096;
/// How much one commit takes at most, so that nobody waits for a very long write.
const GROUP: usize = 8 << 20;

/// One record to be written, with what the sink gets once it is safe.
#[derive(Debug)]
pub struct Entry<I> {
    /// What kind of record it is.
    pub kind: u8,
    /// What it holds: the parts one after another.
    pub payload: Vec<Bytes>,
    /// What the sink gets.
    pub item: I,
}

/// A record that is safe.
#[derive(Debug)]
pub struct Landed<I> {
    /// The segment that holds it.
    pub segment: u64,
    /// Its place among all records.
    pub sequence: u64,
    /// What came with it.
    pub item: I,
}

/// Who is told, on the writer's thread, before the caller is.
pub trait Sink: Send + 'static {
    /// What comes with a record.
    type Item: Send + 'static;
    /// Records are safe.
    fn landed(&mut self, records: Vec<Landed<Self::Item>>);
    /// A segment gets no more records.
    fn sealed(&mut self, segment: u64);
}

enum Command<I> {
    Append { entries: Vec<Entry<I>>, bytes: usize, done: oneshot::Sender<Result<u64>> },
    Seal { done: oneshot::Sender<u64> },
    Close,
}

/// A log that is open for writing.
pub struct Log<I> {
    sender: SyncSender<Command<I>>,
    waiting: Arc<AtomicUsize>,
    last: watch::Receiver<u64>,
    queue_bytes: usize,
    thread: Option<JoinHandle<()>>,
}

impl<I: Send + 'static> Log<I> {
    /// Begins to write behind what is there: the first new segment and record get the numbers given.
    pub fn start<S: Sink<Item = I>>(options: &LogOptions, segment: u64, sequence: u64, sink: S) -> Result<Self> {
        let (sender, receiver) = sync_channel(QUEUE);
        let waiting = Arc::new(AtomicUsize::new(0));
        let (told, last) = watch::channel(sequence.saturating_sub(1));
        let writer = Writer {
            folder: options.folder.clone(),
            sync: options.durability == Durability::Fsync,
            limit: options.segment_bytes,
            next_segment: segment,
            next_sequence: sequence,
            open: None,
            buffer: Vec::new(),
            waiting: Arc::clone(&waiting),
            last: told,
            sink,
        };
        let thread = std::thread::Builder::new().name("clew-log".to_owned()).spawn(move || writer.run(&receiver));
        let thread = thread.map_err(|error| io("write", &options.folder, &error))?;
        Ok(Self { sender, waiting, last, queue_bytes: options.queue_bytes, thread: Some(thread) })
    }

    /// Writes records and waits until they are safe; gives back the place of the last.
    pub async fn append(&self, entries: Vec<Entry<I>>) -> Result<u64> {
        if entries.is_empty() {
            return Ok(self.last());
        }
        let length = |entry: &Entry<I>| entry.payload.iter().map(Bytes::len).sum::<usize>();
        if entries.iter().any(|entry| length(entry) > frame::MAX_PAYLOAD) {
            return Err(StoreError::Limit(format!("{} bytes a record", frame::MAX_PAYLOAD)));
        }
        let bytes: usize = entries.iter().map(|entry| length(entry) + frame::HEADER).sum();
        // One call may always wait alone, however large it is.
        let waiting = self.waiting.fetch_add(bytes, Ordering::AcqRel);
        if waiting > 0 && waiting.saturating_add(bytes) > self.queue_bytes {
            self.waiting.fetch_sub(bytes, Ordering::AcqRel);
            return Err(full());
        }
        let (done, answer) = oneshot::channel();
        if let Err(refused) = self.sender.try_send(Command::Append { entries, bytes, done }) {
            self.waiting.fetch_sub(bytes, Ordering::AcqRel);
            return Err(if matches!(refused, TrySendError::Full(_)) { full() } else { StoreError::Closed });
        }
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Ends the current segment; gives back the number of the next.
    pub async fn seal(&self) -> Result<u64> {
        let (done, answer) = oneshot::channel();
        self.sender.try_send(Command::Seal { done }).map_err(|_| full())?;
        answer.await.map_err(|_| StoreError::Closed)
    }

    /// How many bytes wait to be written.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// The place of the last record that is safe.
    pub fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// The same, to be waited for.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.last.clone()
    }
}

impl<I> Drop for Log<I> {
    fn drop(&mut self) {
        let _ = self.sender.send(Command::Close);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn full() -> StoreError {
    StoreError::Full { what: "too much waits to be written".to_owned(), retry_after: Duration::from_secs(1) }
}

/// The segment that is being written.
struct Open {
    file: File,
    number: u64,
    length: u64,
}

struct Writer<S: Sink> {
    folder: PathBuf,
    sync: bool,
    limit: u64,
    next_segment: u64,
    next_sequence: u64,
    open: Option<Open>,
    buffer: Vec<u8>,
    waiting: Arc<AtomicUsize>,
    last: watch::Sender<u64>,
    sink: S,
}

/// A call that waits, with its records.
type Waiting<I> = (Vec<Entry<I>>, oneshot::Sender<Result<u64>>);
/// A call that waits, with the place of its last record.
type Waiter = (oneshot::Sender<Result<u64>>, u64);

impl<S: Sink> Writer<S> {
    fn run(mut self, receiver: &Receiver<Command<S::Item>>) {
        while let Ok(command) = receiver.recv() {
            let mut group = Vec::new();
            let mut size = 0;
            let mut next = Some(command);
            while let Some(command) = next.take() {
                match command {
                    Command::Append { entries, bytes, done } => {
                        size += bytes;
                        group.push((entries, done));
                    }
                    Command::Seal { done } => {
                        self.commit(std::mem::take(&mut group), std::mem::take(&mut size));
                        self.seal();
                        let _ = done.send(self.next_segment);
                    }
                    Command::Close => {
                        self.commit(group, size);
                        return;
                    }
                }
                if size < GROUP {
                    next = receiver.try_recv().ok();
                }
            }
            self.commit(group, size);
        }
    }

    fn commit(&mut self, group: Vec<Waiting<S::Item>>, size: usize) {
        if group.is_empty() {
            return;
        }
        self.buffer.clear();
        let first = self.next_sequence;
        let (mut landed, mut waiters): (Vec<_>, Vec<Waiter>) = (Vec::new(), Vec::new());
        for (entries, done) in group {
            for Entry { kind, payload, item } in entries {
                let parts: Vec<&[u8]> = payload.iter().map(|part| &part[..]).collect();
                // The caller has checked the length, the one reason to refuse.
                if frame::encode(kind, self.next_sequence, &parts, &mut self.buffer) {
                    landed.push(Landed { segment: 0, sequence: self.next_sequence, item });
                    self.next_sequence += 1;
                }
            }
            waiters.push((done, self.next_sequence - 1));
        }
        let written = self.write();
        self.waiting.fetch_sub(size, Ordering::AcqRel);
        match written {
            Ok(segment) => self.acknowledge(segment, landed, waiters),
            Err(error) => {
                self.next_sequence = first;
                for (done, _) in waiters {
                    let _ = done.send(Err(error.again()));
                }
            }
        }
    }

    fn acknowledge(&mut self, segment: u64, mut landed: Vec<Landed<S::Item>>, waiters: Vec<Waiter>) {
        for record in &mut landed {
            record.segment = segment;
        }
        self.sink.landed(landed);
        self.last.send_replace(self.next_sequence - 1);
        for (done, sequence) in waiters {
            let _ = done.send(Ok(sequence));
        }
        if self.open.as_ref().is_some_and(|open| open.length >= self.limit) {
            self.seal();
        }
    }

    /// Writes the buffer; on an error the segment is cut back to where it was, or given up if that fails, too.
    fn write(&mut self) -> Result<u64> {
        if self.open.is_none() {
            let file = segment::create(&self.folder, self.next_segment, self.sync)?;
            self.open = Some(Open { file, number: self.next_segment, length: PREFIX as u64 });
            self.next_segment += 1;
        }
        let Some(open) = self.open.as_mut() else { return Err(StoreError::Closed) };
        let path = segment::path(&self.folder, open.number);
        if let Err(error) = open.file.write_all(&self.buffer) {
            let cut = open.file.set_len(open.length);
            let back = std::io::Seek::seek(&mut open.file, std::io::SeekFrom::Start(open.length));
            if cut.is_err() || back.is_err() {
                self.seal();
            }
            return Err(io("write", &path, &error));
        }
        if self.sync
            && let Err(error) = open.file.sync_data()
        {
            // What the disk holds now is not known, so nothing more goes into this file.
            self.seal();
            return Err(io("sync", &path, &error));
        }
        open.length += self.buffer.len() as u64;
        Ok(open.number)
    }

    fn seal(&mut self) {
        if let Some(open) = self.open.take() {
            self.sink.sealed(open.number);
        }
    }
}

impl StoreError {
    /// The same error for another one who waited.
    fn again(&self) -> Self {
        match self {
            Self::Full { what, retry_after } => Self::Full { what: what.clone(), retry_after: *retry_after },
            Self::Io { doing, what, reason } => Self::Io { doing, what: what.clone(), reason: reason.clone() },
            other => Self::Io { doing: "write", what: "the log".to_owned(), reason: other.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// What landed, and which segments were sealed.
    type Told = (Vec<(u64, u64, u8)>, Vec<u64>);

    struct Seen(Arc<Mutex<Told>>);

    impl Sink for Seen {
        type Item = u8;
        fn landed(&mut self, records: Vec<Landed<u8>>) {
            let seen = records.into_iter().map(|record| (record.segment, record.sequence, record.item));
            self.0.lock().unwrap().0.extend(seen);
        }
        fn sealed(&mut self, segment: u64) {
            self.0.lock().unwrap().1.push(segment);
        }
    }

    fn entry(item: u8) -> Vec<Entry<u8>> {
        vec![Entry { kind: 1, payload: vec![Bytes::from(vec![item; 100])], item }]
    }

    #[tokio::test]
    async fn records_are_told_before_they_are_acknowledged_and_found_in_their_segment() {
        let folder = tempfile::tempdir().unwrap();
        let options = LogOptions {
            folder: folder.path().to_owned(),
            durability: Durability::Fsync,
            segment_bytes: 300,
            queue_bytes: 1 << 20,
        };
        let seen = Arc::new(Mutex::default());
        let log = Log::start(&options, 7, 1, Seen(Arc::clone(&seen))).unwrap();
        for item in 0..5 {
            assert_eq!(log.append(entry(item)).await.unwrap(), u64::from(item) + 1);
            assert_eq!(seen.lock().unwrap().0.last().unwrap().2, item);
        }
        log.seal().await.unwrap();
        drop(log);
        let (landed, sealed) = &*seen.lock().unwrap();
        assert_eq!(landed.iter().map(|record| record.0).collect::<Vec<_>>(), [7, 7, 7, 8, 8]);
        assert_eq!(sealed, &[7, 8]);
        let mut read = Vec::new();
        for number in segment::list(folder.path()).unwrap() {
            segment::scan(&segment::load(folder.path(), number).unwrap(), |frame| {
                read.push((number, frame.sequence, frame.payload[0]));
            });
        }
        assert_eq!(&read, landed);
    }
}
