//! What the live watch of a large cluster costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_collect::live::{SourceKind, connect};
use clew_e2e::{Identity, Options};
use kube::Client;
use tokio::task::JoinSet;

use crate::harness::{name, turn, up};
use crate::live::Live;
use crate::memory_store::MemoryStore;

const OBJECTS: usize = 50_000;
const AT_ONCE: usize = 64;
/// What the watch of that many objects may take.
const MOST_MEMORY: u64 = 400 * 1024 * 1024;

#[test]
#[ignore = "a measurement, which needs the machine for itself"]
fn fifty_thousand_objects_are_watched_in_little_memory() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options { control_plane_only: true, ..Options::new(name("live-scale")) });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(connect(Some(&cluster.kubeconfig(Identity::Alice)), None)).unwrap().client;
    let start = Instant::now();
    runtime.block_on(make_all(&client));
    println!("{OBJECTS} objects made in {:?}", start.elapsed());
    let store = Arc::<MemoryStore>::default();
    store.forget_all();
    let (before, cpu) = (memory(), cpu());
    let start = Instant::now();
    let live = Live::start(&cluster, folder.path(), store);
    let held = |live: &Live| {
        let sources = live.parts.sources.list();
        sources.iter().find(|it| it.kind == SourceKind::Cluster).map_or(0, |it| it.held)
    };
    while held(&live) < OBJECTS as u64 {
        assert!(start.elapsed() < Duration::from_mins(5), "{} objects", held(&live));
        std::thread::sleep(Duration::from_millis(20));
    }
    let listed = start.elapsed();
    std::thread::sleep(Duration::from_secs(2));
    let (grown, spent) = (memory().saturating_sub(before), self::cpu().saturating_sub(cpu));
    println!("listed in {listed:?}; {} KiB more memory; {spent:?} of CPU", grown / 1024);
    assert!(grown < MOST_MEMORY, "{grown} bytes");
    let start = Instant::now();
    live.end();
    println!("ended, with the cursor written, in {:?}", start.elapsed());
}

async fn make_all(client: &Client) {
    let mut making = JoinSet::new();
    for number in 0..OBJECTS {
        if making.len() >= AT_ONCE {
            making.join_next().await.unwrap().unwrap();
        }
        let client = client.clone();
        making.spawn(async move {
            let object = serde_json::json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {"name": format!("made-{number}"), "labels": {"app": "scale", "number": number.to_string()}},
                "data": {"settings": "x".repeat(500)},
            });
            let request = http::Request::post("/api/v1/namespaces/default/configmaps");
            let request = request.header("Content-Type", "application/json").body(object.to_string().into_bytes());
            client.request::<serde_json::Value>(request.unwrap()).await.unwrap();
        });
    }
    while let Some(made) = making.join_next().await {
        made.unwrap();
    }
}

/// The memory of this process, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// The processor time of this process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(ticks * 10)
}
