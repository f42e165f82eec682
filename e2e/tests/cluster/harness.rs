//! What the tests share: bringing a cluster up, waiting, and taking turns on a small machine.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Name, Options};

/// The harness's own program, as people meet it.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_clew-cluster");
/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

static TURN: Mutex<()> = Mutex::new(());

/// One test at a time: two cores cannot carry several clusters, and footprints would mix.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn name(text: &str) -> Name {
    text.parse().unwrap()
}

pub(crate) fn up(options: Options) -> Cluster {
    let up = Cluster::up(Path::new(PROGRAM), options, &mut |line| println!("{line}"));
    up.unwrap_or_else(|error| panic!("{error}"))
}

/// The cluster's program with a home of its own, so that nobody's `~/.kube` is touched.
pub(crate) fn program(home: &Path) -> Command {
    let cache = clew_e2e::folders::cache().unwrap();
    let mut command = Command::new(PROGRAM);
    command.env("HOME", home).env("XDG_CACHE_HOME", cache.parent().unwrap()).env_remove("KUBECONFIG");
    command
}

/// Asks again until there is an answer, and fails with what was waited for.
pub(crate) fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited {} s for {what}", PATIENCE.as_secs());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Makes a Deployment of the test workload and waits until it is available.
pub(crate) fn deploy(cluster: &Cluster, identity: Identity, deployment: &str, replicas: usize) {
    let replicas = format!("--replicas={replicas}");
    let create = ["create", "deployment", deployment, "--image=clew/workload:1", &replicas];
    cluster.kubectl(identity, &create).unwrap_or_else(|error| panic!("{error}"));
    let wait = ["rollout", "status", "deployment", deployment, "--timeout=90s"];
    cluster.kubectl(identity, &wait).unwrap_or_else(|error| panic!("{error}"));
}

/// The phases of all pods of the default namespace.
pub(crate) fn phases(cluster: &Cluster) -> Vec<String> {
    let pods = cluster.kubectl(Identity::Admin, &["get", "pods", "-o", "jsonpath={.items[*].status.phase}"]);
    pods.unwrap().split_whitespace().map(str::to_owned).collect()
}
