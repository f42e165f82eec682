//! The one way in: what a source hands over is durable when the call returns, and woven after that.

mod work;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use clew_store::otlp::{self, Checked};
use clew_store::{Position, Record, Result, Store, StoreError};
use clew_weave::fact::Fact;
use compact_str::CompactString;
use tokio::sync::mpsc;

pub use work::{What, Work};

/// Takes what sources have. Cheap to clone; every source has one.
#[derive(Clone)]
pub struct Intake {
    store: Arc<dyn Store>,
    weaving: mpsc::Sender<Work>,
}

impl Intake {
    /// An intake into a store; what is durable goes on to whoever weaves.
    pub fn new(store: Arc<dyn Store>, weaving: mpsc::Sender<Work>) -> Self {
        Self { store, weaving }
    }

    /// Takes an OTLP trace request in protobuf.
    pub async fn spans(&self, request: Bytes) -> Result<()> {
        self.checked(otlp::check(&request, &otlp::Limits::default())?).await
    }

    /// Takes an OTLP trace request that was checked, without checking it again.
    pub(crate) async fn checked(&self, Checked { spans, native, .. }: Checked) -> Result<()> {
        let position = self.store.append(vec![Record::Checked(spans)]).await?;
        self.weave(position, What::Spans(native)).await
    }

    /// Takes facts of one cluster. Secrets were redacted when they were decoded.
    pub async fn facts(&self, cluster: &CompactString, facts: Vec<Fact>) -> Result<()> {
        let encoded = work::encode(&facts).map_err(|error| StoreError::Query(error.to_string()))?;
        let position = self.store.append(vec![Record::Facts { cluster: cluster.clone(), facts: encoded }]).await?;
        self.weave(position, What::Facts(cluster.clone(), facts)).await
    }

    async fn weave(&self, position: Position, what: What) -> Result<()> {
        let work = Work { position, since: Instant::now(), what };
        self.weaving.send(work).await.map_err(|_| StoreError::Closed)
    }

    /// Takes a piece of another replica's log. Gives what is to be known here without being kept, and how much could not
    /// be read.
    pub(crate) async fn take_over(&self, frames: Bytes) -> Result<TakenOver> {
        let over = self.store.take_over(frames).await?;
        let (position, mut unreadable, mut delivered) = (over.position, over.unreadable, Vec::new());
        let mut facts_taken = 0;
        for record in over.records {
            if let Record::Delivered(note) = record {
                delivered.push(note);
                continue;
            }
            match What::of(record) {
                Ok(Some(what)) => {
                    facts_taken += 1;
                    self.weave(position, what).await?;
                }
                Ok(None) => {}
                Err(_) => unreadable += 1,
            }
        }
        Ok(TakenOver { records: facts_taken, unreadable, delivered })
    }
}

/// What became of a piece of another replica's log.
#[derive(Debug)]
pub(crate) struct TakenOver {
    /// How many records are woven here now.
    pub(crate) records: u64,
    /// How many could not be read.
    pub(crate) unreadable: u64,
    /// What that replica's forwarder delivered.
    pub(crate) delivered: Vec<Bytes>,
}
