//! Captures as one stream in the order of time, with little of it in memory: each source of each capture is read by a
//! thread of its own, and the earliest piece goes next.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use clew_model::Time;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::piece::Piece;
use crate::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use crate::decode::Decoder;

/// How many pieces a thread hands over at a time, and how many such batches may wait.
const BATCH: usize = 256;
const WAITING: usize = 4;

/// The pieces of captures, merged by time. A file that is not in order is taken as it comes.
pub(super) struct Merged {
    inputs: Vec<Input>,
}

struct Input {
    pieces: VecDeque<(Time, Piece)>,
    more: mpsc::Receiver<Batch>,
    reader: JoinHandle<BadLines>,
}

struct Batch {
    pieces: Vec<(Time, Piece)>,
    bytes: u64,
}

impl Merged {
    /// Begins to read; must be called within a runtime.
    pub(super) fn read(captures: Vec<Capture>, options: ReadOptions, decoder: &Decoder) -> Self {
        let mut inputs = Vec::new();
        for capture in captures.into_iter().map(Arc::new) {
            let sources = capture.sources().iter().filter(|source| options.sources.contains(*source));
            inputs.extend(sources.map(|source| Input::read(Arc::clone(&capture), source, options, decoder.clone())));
        }
        Self { inputs }
    }

    /// The next piece, and how many bytes were read for it.
    pub(super) async fn next(&mut self) -> Option<(Piece, u64)> {
        let mut bytes = 0;
        for input in &mut self.inputs {
            bytes += input.fill().await;
        }
        let first = self.inputs.iter_mut().filter(|input| !input.pieces.is_empty());
        let first = first.min_by_key(|input| input.pieces.front().map(|(time, _)| *time))?;
        first.pieces.pop_front().map(|(_, piece)| (piece, bytes))
    }

    /// What could not be read, once the end is reached.
    pub(super) async fn bad(self) -> BadLines {
        let mut all = BadLines::default();
        for input in self.inputs {
            // A reader ends by itself; one that panicked has told so on standard error.
            if let Ok(bad) = input.reader.await {
                all.add(bad);
            }
        }
        all
    }
}

impl Input {
    fn read(capture: Arc<Capture>, source: Source, options: ReadOptions, decoder: Decoder) -> Self {
        let (sender, more) = mpsc::channel(WAITING);
        let options = ReadOptions { sources: Sources::NONE.with(source), ..options };
        let reader = tokio::task::spawn_blocking(move || read(&capture, &options, &decoder, &sender));
        Self { pieces: VecDeque::new(), more, reader }
    }

    /// Waits for pieces if there are none; says how many bytes they were.
    async fn fill(&mut self) -> u64 {
        let mut bytes = 0;
        while self.pieces.is_empty() {
            let Some(batch) = self.more.recv().await else { break };
            self.pieces.extend(batch.pieces);
            bytes += batch.bytes;
        }
        bytes
    }
}

fn read(capture: &Capture, options: &ReadOptions, decoder: &Decoder, sender: &mpsc::Sender<Batch>) -> BadLines {
    let mut bad = BadLines::default();
    let mut batch = Batch { pieces: Vec::new(), bytes: 0 };
    capture.read(options, &mut bad, &mut |line, bad| {
        batch.bytes += line.bytes.len() as u64;
        match Piece::of_line(decoder, line) {
            Ok(pieces) => batch.pieces.extend(pieces.into_iter().map(|piece| (piece.told(), piece))),
            Err(error) => bad.report_json(line, &error),
        }
        if batch.pieces.len() < BATCH {
            return ControlFlow::Continue(());
        }
        let full = std::mem::replace(&mut batch, Batch { pieces: Vec::new(), bytes: 0 });
        sender.blocking_send(full).map_or(ControlFlow::Break(()), ControlFlow::Continue)
    });
    // Nobody waits for it any more if this fails.
    let _ = sender.blocking_send(batch);
    bad
}
