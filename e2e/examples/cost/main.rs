//! What it costs to follow a large cluster with `clew up`, and what it costs the API server; prints JSON.
//!
//! `CLEW_BINARY=target/release/clew cargo run --release -p clew-e2e --example cost [OBJECTS]` on a machine that does nothing else.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on says so by failing")]

mod clew;
mod creates;
mod empty;
mod load;
mod process;

use std::time::{Duration, Instant};

use clew_collect::live::connect;
use clew_e2e::{Cluster, Identity, Options};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::clew::Clew;
use crate::load::Load;
use crate::process::Process;

const OBJECTS: usize = 50_000;
/// The writes that are made once without and once with clew.
const LOAD: Load = Load { writes: 3_000, a_second: 100 };
/// How long both are left alone, to see what they take when nothing happens.
const QUIET: Duration = Duration::from_secs(30);
/// Where clew's webhook and the empty one listen, on the loopback of the cluster's own network.
const PORTS: [u16; 2] = [19_443, 19_444];

fn main() {
    if let Some(helped) = clew_e2e::helper::dispatch() {
        return helped.unwrap();
    }
    let words: Vec<String> = std::env::args().collect();
    if let [_, word, port, folder] = &words[..]
        && word == empty::WORD
    {
        return empty::serve(port.parse().unwrap(), folder.into());
    }
    let objects = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(OBJECTS);
    let options = Options { control_plane_only: true, ..Options::new("cost".parse().unwrap()) };
    let own = std::env::current_exe().unwrap();
    let cluster = Cluster::up(&own, options, &mut |line| eprintln!("{line}")).unwrap();
    let runtime = Runtime::new().unwrap();
    let client = runtime.block_on(connect(Some(&cluster.kubeconfig(Identity::Alice)), None)).unwrap().client;
    let start = Instant::now();
    runtime.block_on(load::make(&client, "made", objects));
    eprintln!("{objects} objects made in {:?}", start.elapsed());

    let server = Process::of_cluster(&cluster, "kube-apiserver");
    let without = phase(&server, None, || {
        runtime.block_on(LOAD.run(&client, "without"));
    });
    let folder = tempfile::tempdir().unwrap();
    let (before, start) = (server.cpu(), Instant::now());
    let clew = Clew::up(&cluster, folder.path());
    clew.wait_for_the_list(objects);
    let listed = json!({
        "seconds": start.elapsed().as_secs_f64(),
        "clewCpuSeconds": clew.process().cpu().as_secs_f64(),
        "apiServerCpuSeconds": server.cpu().saturating_sub(before).as_secs_f64(),
        "clewMemoryMiB": clew.process().memory() >> 20,
    });
    let idle = phase(&server, Some(&clew.process()), || std::thread::sleep(QUIET));
    let mut written = Vec::new();
    let with = phase(&server, Some(&clew.process()), || written = runtime.block_on(LOAD.run(&client, "with")));
    let lag = clew.lag(&written);
    let (memory, peak) = (clew.process().memory(), clew.process().peak());
    drop(clew);
    let called = Clew::called(&cluster, folder.path(), PORTS[0]);
    let mut empty = empty::start(&cluster, &folder.path().join("empty"), PORTS[1], creates::EMPTY);
    creates::wait_for_the_webhooks(&cluster);
    let creates = runtime.block_on(creates::measure(&client));
    drop(called);
    let _ = empty.kill();
    let _ = empty.wait();
    let result = json!({
        "machineLoad": std::fs::read_to_string("/proc/loadavg").unwrap().trim(),
        "objects": objects,
        "writes": LOAD.writes,
        "writesASecond": LOAD.a_second,
        "firstList": listed,
        "quiet": idle,
        "loadWithout": without,
        "loadWith": with,
        "watchLagMilliseconds": lag,
        "clewMemoryMiB": memory >> 20,
        "clewPeakMiB": peak >> 20,
        "createMilliseconds": creates,
    });
    println!("{result:#}");
}

/// What the API server and clew took while something was done.
fn phase(server: &Process, clew: Option<&Process>, work: impl FnOnce()) -> serde_json::Value {
    let (before, own) = (server.cpu(), clew.map(Process::cpu));
    let start = Instant::now();
    work();
    let seconds = start.elapsed().as_secs_f64();
    let own = clew.zip(own).map(|(clew, own)| clew.cpu().saturating_sub(own).as_secs_f64());
    json!({"seconds": seconds, "apiServerCpuSeconds": server.cpu().saturating_sub(before).as_secs_f64(), "clewCpuSeconds": own})
}
