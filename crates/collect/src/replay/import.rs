//! Captures into a store, in the order of time and in bounded memory: what is settled is forgotten on the way, as it is
//! while a cluster is watched.

use clew_model::{Span, Time, TraceId};
use clew_store::{Record, Store, StoreError, Woven};
use clew_weave::fact::Fact;
use clew_weave::{Config, Upserts, Weaver};
use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::merged::Merged;
use super::piece::Piece;
use crate::capture::{BadLines, Capture, ReadOptions};
use crate::decode::{Decoder, otlp};
use crate::encode::otlp_protobuf;

/// How many native spans go into the log at a time.
const SPANS: usize = 2048;
/// How many facts are taken between two turns: a turn costs what the journeys in motion cost.
const TURN: usize = 1024;

/// How captures are imported.
pub struct Import<'a> {
    /// What is read of them.
    pub options: ReadOptions,
    /// The cluster's name.
    pub cluster: CompactString,
    /// Told of the bytes read so far.
    pub progress: &'a mut dyn FnMut(u64),
}

/// What an import brought.
#[derive(Debug, Default, Serialize)]
pub struct Imported {
    /// Facts taken.
    #[serde(skip)]
    pub facts: u64,
    /// Journeys.
    pub journeys: usize,
    /// Their spans, without those of their segments.
    pub spans: usize,
    /// Native spans.
    pub native: usize,
    /// What could not be read.
    #[serde(skip)]
    pub bad: BadLines,
}

impl Import<'_> {
    /// Reads the captures, weaves what they hold and gives it to the store. All of it is one cluster's.
    pub async fn run(
        &mut self,
        captures: Vec<Capture>,
        decoder: &Decoder,
        store: &dyn Store,
    ) -> Result<Imported, StoreError> {
        let config = Config { cluster: self.cluster.to_string(), ..Config::default() };
        let mut importing = Importing {
            store,
            cluster: self.cluster.clone(),
            weaver: Weaver::new(config),
            pending: 0,
            native: Vec::new(),
            spans: FxHashMap::default(),
            imported: Imported::default(),
        };
        let mut merged = Merged::read(captures, self.options, decoder);
        let mut read = 0;
        while let Some((piece, bytes)) = merged.next().await {
            if bytes > 0 {
                read += bytes;
                (self.progress)(read);
            }
            importing.take(piece).await?;
        }
        importing.end(merged.bad().await).await
    }
}

struct Importing<'a> {
    store: &'a dyn Store,
    cluster: CompactString,
    weaver: Weaver,
    pending: usize,
    native: Vec<Span>,
    /// How many spans each journey has.
    spans: FxHashMap<TraceId, usize>,
    imported: Imported,
}

impl Importing<'_> {
    async fn take(&mut self, piece: Piece) -> Result<(), StoreError> {
        match piece {
            Piece::Fact(fact) => self.weaver.apply(fact),
            Piece::Span(span) => {
                self.weaver.apply(Fact::Native(Box::new(otlp::native(&span))));
                self.native.push(*span);
                if self.native.len() >= SPANS {
                    self.keep_native().await?;
                }
            }
        }
        self.pending += 1;
        if self.pending >= TURN {
            self.turn(Time::MIN).await?;
        }
        Ok(())
    }

    /// Gives what changed up to now to the store.
    async fn turn(&mut self, now: Time) -> Result<(), StoreError> {
        self.pending = 0;
        let upserts = self.weaver.advance(now);
        self.count(&upserts);
        self.store.weave(Woven { cluster: self.cluster.clone(), upserts }).await
    }

    fn count(&mut self, upserts: &Upserts) {
        for id in &upserts.retired {
            self.spans.remove(id);
        }
        for journey in &upserts.journeys {
            self.spans.insert(journey.journey, 0);
        }
        for span in &upserts.spans {
            *self.spans.entry(span.trace_id).or_default() += 1;
        }
    }

    async fn keep_native(&mut self) -> Result<(), StoreError> {
        self.imported.native += self.native.len();
        self.store.append(vec![Record::Spans(otlp_protobuf(&self.native))]).await?;
        self.native.clear();
        Ok(())
    }

    async fn end(mut self, bad: BadLines) -> Result<Imported, StoreError> {
        if !self.native.is_empty() {
            self.keep_native().await?;
        }
        self.turn(Time::MIN).await?;
        let facts = self.weaver.stats().facts;
        let (journeys, spans) = (self.spans.len(), self.spans.values().sum());
        Ok(Imported { facts, journeys, spans, bad, ..self.imported })
    }
}
