//! A receiver with an intake into a store that only remembers.

use std::sync::Arc;
use std::time::Duration;

use clew_collect::intake::Intake;
use clew_collect::receive::{Limits, Receiver, Settings};
use clew_model::Span;
use clew_store::otlp;
use tokio::sync::mpsc;

use crate::memory_store::MemoryStore;

/// A receiver on free ports of loopback.
pub(crate) struct Server {
    pub(crate) receiver: Receiver,
    pub(crate) store: Arc<MemoryStore>,
}

/// Loopback, free ports, patience for tests only.
pub(crate) fn settings() -> Settings {
    let any = Some(([127, 0, 0, 1], 0).into());
    Settings { grpc: any, http: any, ..Settings::default() }
}

/// Settings with these limits.
pub(crate) fn limited(change: impl FnOnce(&mut Limits)) -> Settings {
    let mut settings = settings();
    change(&mut settings.limits);
    settings
}

impl Server {
    pub(crate) async fn start(settings: &Settings) -> Self {
        let store = Arc::new(MemoryStore::default());
        let (sender, mut weaving) = mpsc::channel(1024);
        tokio::spawn(async move { while weaving.recv().await.is_some() {} });
        let intake = Intake::new(Arc::clone(&store) as _, sender);
        let receiver = Receiver::start(settings, Arc::new(intake)).await.expect("listens");
        Self { receiver, store }
    }

    pub(crate) fn grpc(&self) -> String {
        format!("http://{}", self.receiver.grpc().expect("gRPC"))
    }

    pub(crate) fn http(&self) -> String {
        self.receiver.http().expect("HTTP").to_string()
    }

    /// The spans that the store has, as it would decode them.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let decoded = |request: &bytes::Bytes| {
            let (batch, counts) = otlp::decode(request, &otlp::Limits::default()).expect("checked before");
            assert_eq!(counts.refused(), 0, "what is stored was checked");
            batch.spans().expect("columns")
        };
        self.store.requests().iter().flat_map(decoded).collect()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.spans().into_iter().map(|span| span.name.to_string()).collect()
    }

    /// Waits until something holds of what was received.
    pub(crate) async fn wait_until(&self, holds: impl Fn(&clew_collect::receive::Received) -> bool) {
        for _ in 0..1000 {
            if holds(&self.receiver.received()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("waited in vain: {:?}", self.receiver.received());
    }
}
