//! The journeys of a real cluster, and a forwarder for them.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use clew_collect::capture::{BadLines, Capture, ReadOptions};
use clew_collect::decode::Decoder;
use clew_collect::forward::{Endpoint, Forwarded, Forwarder, Settings};
use clew_collect::redact::Redactor;
use clew_collect::replay::{Replay, Replayed};
use clew_store::{JourneyDetail, Woven};
use clew_testkit::otlp::Sink;
use clew_weave::{Child, State, Upserts};

use crate::memory_store::MemoryStore;

pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// What `captures/rollout` has.
pub(crate) struct Cluster {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) details: Vec<JourneyDetail>,
}

impl Cluster {
    /// Only so many of its journeys, which ended.
    pub(crate) fn with(journeys: usize) -> Self {
        static ALL: LazyLock<Vec<JourneyDetail>> = LazyLock::new(|| details(&replayed()));
        let store = Arc::new(MemoryStore::default());
        let details: Vec<JourneyDetail> = ALL.iter().take(journeys).cloned().collect();
        assert_eq!(details.len(), journeys, "the capture has enough journeys");
        details.iter().cloned().for_each(|detail| store.set_journey(detail));
        Self { store, details }
    }

    /// How many spans go out, those of segments included.
    pub(crate) fn spans(&self) -> usize {
        self.details.iter().map(|detail| detail.spans.len() + detail.native.len()).sum()
    }

    /// Tells the forwarder of all journeys, as the loom does.
    pub(crate) fn tell(&self, forwarder: &Forwarder) {
        let journeys = self.details.iter().map(|detail| detail.journey.clone()).collect();
        let upserts = Upserts { journeys, ..Upserts::default() };
        forwarder.listener()(&Woven { cluster: "test".into(), upserts });
    }

    pub(crate) fn forwarder(&self, settings: &Settings) -> Forwarder {
        Forwarder::start(settings, Arc::clone(&self.store) as _).expect("starts")
    }
}

fn replayed() -> Replayed {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures/rollout");
    let mut replay = Replay {
        options: ReadOptions::default(),
        cluster: "test".to_owned(),
        keep_native: true,
        progress: &mut |_| {},
    };
    let decoder = Decoder::new(Redactor::new([7; 32]));
    replay.run(&[Capture::open(&path).expect("the capture")], &decoder, &mut BadLines::default())
}

fn details(replayed: &Replayed) -> Vec<JourneyDetail> {
    let ended = replayed.journeys.iter().filter(|journey| journey.state != State::Open);
    let detail = ended.map(|journey| {
        let id = journey.journey;
        let edges: Vec<_> = replayed.edges.iter().filter(|edge| edge.journey == id).cloned().collect();
        let is_ours = |trace| edges.iter().any(|edge| edge.child == Child::Segment(trace));
        JourneyDetail {
            cluster: "test".into(),
            journey: journey.clone(),
            spans: replayed.spans.iter().filter(|span| span.trace_id == id).cloned().collect(),
            native: replayed.native.iter().filter(|span| is_ours(span.trace_id)).cloned().collect(),
            edges,
        }
    });
    detail.collect()
}

/// Quick settings.
pub(crate) fn settings(folder: &Path, sinks: &[&str]) -> Settings {
    let endpoint = |url: &&str| Endpoint { url: (*url).to_owned(), ..Endpoint::default() };
    Settings {
        settle: Duration::from_millis(50),
        timeout: Duration::from_millis(700),
        first_pause: Duration::from_millis(50),
        longest_pause: Duration::from_millis(300),
        ..Settings::new(sinks.iter().map(endpoint).collect(), folder.to_owned())
    }
}

/// Waits until something holds of what was forwarded.
pub(crate) async fn wait_until(forwarder: &Forwarder, holds: impl Fn(&Forwarded) -> bool) -> Forwarded {
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        let counts = forwarder.forwarded();
        if holds(&counts) {
            return counts;
        }
        assert!(tokio::time::Instant::now() < end, "waited in vain: {counts:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits for spans without holding up the test's runtime.
pub(crate) async fn arrived(sink: &Sink, spans: usize) {
    let end = tokio::time::Instant::now() + PATIENCE;
    while sink.spans().len() < spans {
        assert!(tokio::time::Instant::now() < end, "only {} of {spans} spans arrived", sink.spans().len());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(sink.spans().len(), spans, "nothing arrives twice");
}
