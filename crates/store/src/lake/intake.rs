//! Records on their way into the log, and what memory takes of them once they are safe.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use clew_model::TraceId;

use super::shared::Shared;
use super::table::{runs_from, runs_of};
use super::{parts, seen};
use crate::log::{Entry, Landed, Sink, frame};
use crate::otlp::{Limits, Unread};
use crate::{Record, Result, Run, StoreError};

const SPANS: u8 = 1;
const FACTS: u8 = 2;
const RUN: u8 = 3;
const DELIVERED: u8 = 4;
/// Set in the kind of a record that another replica took: it is not given on.
const RELAYED: u8 = 0x80;

/// What memory takes of a record.
pub(super) enum Item {
    /// Native spans.
    Spans { spans: Box<Unread>, contents: Vec<u64>, bytes: u64 },
    /// Nothing: only whoever weaves, or another replica, wants them.
    Facts { bytes: u64 },
    /// A run.
    Run { run: Box<Run>, bytes: u64 },
}

/// A record for the log.
pub(super) fn entry(record: Record) -> Result<Entry<Item>> {
    match record {
        Record::Spans(request) => {
            let (spans, _) = Unread::new(&request, &Limits::default())?;
            Ok(spans_entry(spans))
        }
        Record::Checked(spans) => Ok(spans_entry(spans)),
        Record::Facts { cluster, facts } => {
            let name = u16::try_from(cluster.len())
                .map_err(|_| StoreError::Limit("65535 bytes a cluster's name".to_owned()))?;
            let mut head = BytesMut::with_capacity(2 + cluster.len());
            head.put_u16_le(name);
            head.extend_from_slice(cluster.as_bytes());
            let bytes = (head.len() + facts.len() + frame::HEADER) as u64;
            Ok(Entry { kind: FACTS, payload: vec![head.freeze(), facts], item: Item::Facts { bytes } })
        }
        Record::Run(run) => {
            let row = Bytes::from(parts::rows_to_bytes(&[runs_of([&*run])?])?);
            let bytes = (row.len() + frame::HEADER) as u64;
            Ok(Entry { kind: RUN, payload: vec![row], item: Item::Run { run, bytes } })
        }
        Record::Delivered(note) => {
            let bytes = (note.len() + frame::HEADER) as u64;
            Ok(Entry { kind: DELIVERED, payload: vec![note], item: Item::Facts { bytes } })
        }
    }
}

/// A record of another replica, for the log.
pub(super) fn relayed(record: Record) -> Result<Entry<Item>> {
    let entry = entry(record)?;
    Ok(Entry { kind: entry.kind | RELAYED, ..entry })
}

/// Whether a record came from another replica.
pub(super) const fn is_relayed(kind: u8) -> bool {
    kind & RELAYED != 0
}

/// A record as the log has it; none for a kind of a later version.
pub(super) fn record(kind: u8, payload: Bytes) -> Option<Record> {
    match kind & !RELAYED {
        SPANS => Some(Record::Spans(payload)),
        FACTS => {
            let length = usize::from(u16::from_le_bytes([*payload.first()?, *payload.get(1)?]));
            let cluster = std::str::from_utf8(payload.get(2..2 + length)?).ok()?.into();
            Some(Record::Facts { cluster, facts: payload.slice(2 + length..) })
        }
        RUN => {
            let rows = parts::rows_from_bytes(payload).ok()?;
            let run = rows.iter().find_map(|rows| runs_from(rows).ok()?.pop())?;
            Some(Record::Run(Box::new(run)))
        }
        DELIVERED => Some(Record::Delivered(payload)),
        _ => None,
    }
}

/// The contents of a record that is in the lake already, so that it is known when it comes again.
pub(super) fn contents(kind: u8, payload: &[u8]) -> Vec<u64> {
    if kind & !RELAYED != SPANS {
        return Vec::new();
    }
    let spans = Unread::new(&Bytes::copy_from_slice(payload), &Limits::default());
    spans.map(|(spans, _)| seen::contents(&spans)).unwrap_or_default()
}

/// What memory takes of a record that the log has.
pub(super) fn item(record: Record) -> Result<Item> {
    entry(record).map(|entry| entry.item)
}

fn spans_entry(spans: Unread) -> Entry<Item> {
    let request = spans.request().clone();
    let contents = seen::contents(&spans);
    let bytes = (request.len() + frame::HEADER) as u64;
    Entry { kind: SPANS, payload: vec![request], item: Item::Spans { spans: Box::new(spans), contents, bytes } }
}

/// Puts what is safe into memory, on the log's own thread.
pub(super) struct Memory(pub(super) Arc<Shared>);

impl Sink for Memory {
    type Item = Item;

    fn landed(&mut self, records: Vec<Landed<Item>>) {
        for record in records {
            self.0.take(record);
        }
    }

    fn sealed(&mut self, segment: u64) {
        self.0.hot_mut().seal(segment);
    }
}

impl Shared {
    /// Takes a record that is safe.
    pub(super) fn take(&self, record: Landed<Item>) {
        let Landed { segment, sequence, item } = record;
        let bytes = match &item {
            Item::Spans { bytes, .. } | Item::Facts { bytes } | Item::Run { bytes, .. } => *bytes,
        };
        self.segments().grew(segment, sequence, 1, bytes);
        let mut hot = self.hot_mut();
        hot.touch(segment);
        match item {
            Item::Spans { spans, contents, .. } => {
                self.dropped("duplicate spans", hot.add_spans(segment, *spans, &contents));
            }
            Item::Run { run, .. } => {
                let id: TraceId = run.id;
                hot.runs.insert(id, *run);
            }
            Item::Facts { .. } => {}
        }
    }
}
