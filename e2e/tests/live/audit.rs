//! The API server's own audit webhook posts to clew, also while clew's store is full.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use clew_collect::capture::Source;
use clew_collect::decode::Decoder;
use clew_collect::live::audit::{ReceiverSettings, router};
use clew_collect::redact::Redactor;
use clew_e2e::{Cluster, Identity, Options};
use clew_weave::fact::Fact;

use crate::harness::{eventually, name, turn, up};
use crate::live::{CLUSTER, KEY, parts};
use crate::memory_store::MemoryStore;

#[test]
fn every_audited_write_reaches_clew_once_though_its_store_was_full() {
    let _turn = turn();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = Arc::<MemoryStore>::default();
    let receiver = router(parts(&runtime, &store, None), ReceiverSettings::default());
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move { axum::serve(listener, receiver).await });
    let cluster = up(Options {
        control_plane_only: true,
        audit_webhook: Some(format!("http://127.0.0.1:{port}/audit/{CLUSTER}")),
        reach: vec![port],
        ..Options::new(name("live-audit"))
    });
    for round in 0..6 {
        store.set_full(round == 2 || round == 3);
        make(&cluster, &format!("made-{round}"));
        std::thread::sleep(Duration::from_secs(1));
    }
    store.set_full(false);
    let logged = eventually("all writes of the log", || {
        let (logged, came) = (logged(&cluster), came(&store));
        let made = logged.iter().filter(|(_, name)| name.starts_with("made-")).count();
        (made == 6 && logged.iter().filter(|(_, name)| name.starts_with("made-")).all(|it| came.contains(it)))
            .then_some(logged)
    });
    let came = came(&store);
    assert!(came.iter().all(|it| logged.contains(it) || !it.1.starts_with("made-")), "nothing is made up");
    let facts = store.facts(CLUSTER);
    let writes: Vec<_> = facts.iter().filter(|fact| matches!(fact, Fact::Write(_))).collect();
    assert_eq!(writes.len(), came.len(), "each once");
}

fn make(cluster: &Cluster, name: &str) {
    let create = ["create", "configmap", name, "--from-literal=a=1"];
    cluster.kubectl(Identity::Alice, &create).unwrap_or_else(|error| panic!("{error}"));
}

/// The audit id and the name of every write.
type Writes = BTreeSet<(String, String)>;

fn came(store: &MemoryStore) -> Writes {
    writes(&store.facts(CLUSTER))
}

fn logged(cluster: &Cluster) -> Writes {
    let log = std::fs::read_to_string(cluster.folder().audit_log()).unwrap();
    let decoder = Decoder::new(Redactor::new(KEY));
    let mut facts = Vec::new();
    for line in log.lines() {
        let _ = decoder.line(Source::Audit, line.as_bytes(), &mut facts);
    }
    writes(&facts)
}

fn writes(facts: &[Fact]) -> Writes {
    let writes = facts.iter().filter_map(|fact| if let Fact::Write(write) = fact { Some(write) } else { None });
    writes.map(|write| (write.audit.to_string(), write.target.name.to_string())).collect()
}
