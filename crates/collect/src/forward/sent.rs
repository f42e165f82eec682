//! What went out already: each span of recent journeys, and over a restart each journey as a whole.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use clew_model::{Span, SpanId, TraceId};
use rustc_hash::FxHashMap;

use crate::encode::otlp_protobuf;

/// How many journeys are remembered; one that is forgotten goes out again as a whole if it changes.
const JOURNEYS: usize = 10_000;
/// A journey's id and its digest.
const ENTRY: usize = 24;

/// The journeys that went out.
pub(super) struct Sent {
    journeys: FxHashMap<TraceId, Known>,
    order: VecDeque<TraceId>,
    file: File,
}

#[derive(Default)]
struct Known {
    digest: u64,
    spans: FxHashMap<SpanId, u64>,
}

impl Sent {
    /// Opens the file that an earlier run left, and shortens it to what is remembered.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let old = match fs::read(path) {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let (mut journeys, mut order) = (FxHashMap::default(), VecDeque::new());
        for entry in old.chunks_exact(ENTRY) {
            let (id, digest) = entry.split_at(16);
            let (Some(id), Ok(digest)) = (TraceId::from_slice(id), digest.try_into()) else { continue };
            let known = Known { digest: u64::from_le_bytes(digest), spans: FxHashMap::default() };
            if journeys.insert(id, known).is_none() {
                order.push_back(id);
            }
        }
        while order.len() > JOURNEYS {
            order.pop_front().and_then(|id| journeys.remove(&id));
        }
        let mut short = Vec::with_capacity(order.len() * ENTRY);
        for id in &order {
            short.extend(entry(*id, journeys[id].digest));
        }
        fs::write(path, short)?;
        Ok(Self { journeys, order, file: OpenOptions::new().append(true).open(path)? })
    }

    /// The spans of a journey that did not go out yet as they are now.
    pub(super) fn news(&mut self, journey: TraceId, spans: Vec<Span>) -> Vec<Span> {
        let hashes: Vec<u64> = spans.iter().map(hash).collect();
        let digest = hashes.iter().fold(0_u64, |sum, hash| sum.wrapping_add(*hash));
        let known = self.journeys.entry(journey).or_insert_with(|| {
            self.order.push_back(journey);
            Known::default()
        });
        if known.digest == digest && !spans.is_empty() {
            return Vec::new();
        }
        known.digest = digest;
        let mut news = Vec::new();
        for (span, hash) in spans.into_iter().zip(hashes) {
            if known.spans.insert(span.span_id, hash) != Some(hash) {
                news.push(span);
            }
        }
        if self.order.len() > JOURNEYS {
            self.order.pop_front().and_then(|id| self.journeys.remove(&id));
        }
        news
    }

    /// Forgets that a journey went out: it waited here, and goes out from elsewhere or later.
    pub(super) fn forget(&mut self, journey: TraceId) {
        if let Some(known) = self.journeys.get_mut(&journey) {
            *known = Known::default();
            self.went_out(journey);
        }
    }

    /// Remembers over a restart that a journey went out. What cannot be written goes out once more, which is harmless.
    pub(super) fn went_out(&mut self, journey: TraceId) {
        if let Some(known) = self.journeys.get(&journey) {
            let _ = self.file.write_all(&entry(journey, known.digest));
        }
    }
}

fn entry(journey: TraceId, digest: u64) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    entry[..16].copy_from_slice(&journey.to_bytes());
    entry[16..].copy_from_slice(&digest.to_le_bytes());
    entry
}

fn hash(span: &Span) -> u64 {
    let hash = blake3::hash(&otlp_protobuf(std::slice::from_ref(span)));
    let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 8], &[]));
    u64::from_le_bytes(*first)
}

#[cfg(test)]
mod tests {
    use clew_model::Time;

    use super::*;

    fn spans(names: &[&str]) -> Vec<Span> {
        let span = |(number, name): (u8, &&str)| {
            Span::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([number; 8]), *name, Time::from_nanos(1))
        };
        (1..).zip(names).map(span).collect()
    }

    #[test]
    fn only_what_changed_goes_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let journey = TraceId::from_bytes([1; 16]);
        let mut sent = Sent::open(&path).unwrap();
        assert_eq!(sent.news(journey, spans(&["a", "b"])).len(), 2);
        assert_eq!(sent.news(journey, spans(&["a", "b"])).len(), 0);
        let news = sent.news(journey, spans(&["a", "B", "c"]));
        assert_eq!(news.iter().map(|span| span.name.as_str()).collect::<Vec<_>>(), ["B", "c"]);
        sent.went_out(journey);

        let mut again = Sent::open(&path).unwrap();
        assert_eq!(again.news(journey, spans(&["a", "B", "c"])).len(), 0, "a restart sends nothing twice");
        assert_eq!(again.news(journey, spans(&["a", "B", "d"])).len(), 3, "what changed since goes out as a whole");
    }

    #[test]
    fn a_torn_end_of_the_file_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sent");
        let journey = TraceId::from_bytes([1; 16]);
        let mut sent = Sent::open(&path).unwrap();
        sent.news(journey, spans(&["a"]));
        sent.went_out(journey);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(&[7; 11]);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(Sent::open(&path).unwrap().news(journey, spans(&["a"])).len(), 0);
        assert_eq!(std::fs::read(&path).unwrap().len(), ENTRY);
    }
}
