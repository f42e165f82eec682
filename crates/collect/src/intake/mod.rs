//! The one way in: what a source hands over is durable when the call returns, and woven after that.

mod work;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use clew_store::otlp::Checked;
use clew_store::{Record, Result, Store, StoreError};
use clew_weave::fact::Fact;
use compact_str::CompactString;
use tokio::sync::mpsc;

pub(crate) use work::decode as decode_facts;
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
        self.append(Record::Spans(request.clone()), request).await
    }

    /// Takes an OTLP trace request that was checked, without decoding it again.
    pub(crate) async fn checked(&self, Checked { request, spans, .. }: Checked) -> Result<()> {
        let record = match spans {
            Some(spans) => Record::Decoded(request.clone(), spans),
            None => Record::Spans(request.clone()),
        };
        self.append(record, request).await
    }

    async fn append(&self, record: Record, request: Bytes) -> Result<()> {
        let position = self.store.append(vec![record]).await?;
        self.weaving
            .send(Work { position, since: Instant::now(), what: What::Spans(request) })
            .await
            .map_err(|_| StoreError::Closed)
    }

    /// Takes facts of one cluster. Secrets were redacted when they were decoded.
    pub async fn facts(&self, cluster: &CompactString, facts: Vec<Fact>) -> Result<()> {
        let encoded = work::encode(&facts).map_err(|error| StoreError::Query(error.to_string()))?;
        let position = self.store.append(vec![Record::Facts { cluster: cluster.clone(), facts: encoded }]).await?;
        self.weaving
            .send(Work { position, since: Instant::now(), what: What::Facts(cluster.clone(), facts) })
            .await
            .map_err(|_| StoreError::Closed)
    }
}
