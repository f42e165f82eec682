//! What befalls clew: killed, cut off, out of disk, its webhook hanging. The cluster goes on, and the story is whole afterwards.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Options};
use tokio::runtime::Runtime;

use crate::clew::{Clew, Place, Sources};
use crate::front::Front;
use crate::harness::{name, turn, up};
use crate::inside::{freeze, inside};
use crate::told::{difference, told};

const BOTH: Sources = Sources { watch: true, audit: true, spans: None };
/// The webhook's own limit, and what a busy machine adds to a create.
const HANGING: Duration = Duration::from_secs(1);
const BUSY: Duration = Duration::from_secs(2);
/// The address by which only the clew that is cut off knows the API server.
const CUT: &str = "127.0.0.2";

#[test]
fn a_clew_in_trouble_harms_nothing_and_tells_the_whole_story_afterwards() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let front = Front::serve(&runtime);
    let cluster = up(Options { reach: vec![front.port], ..Options::new(name("scenes-faults")) });
    let disk = Disk::mount(&folder.path().join("full"));
    let start = |name| Clew::up(name, BOTH, &cluster, folder.path());
    let (calm, killed, full, hanging) = (start("calm"), start("killed"), start("full"), start("hanging"));
    let cut_off = Clew::up_at(elsewhere(&cluster, folder.path()), "cut", BOTH, &cluster, folder.path());
    front.call(&hanging, &cluster);
    alice(&cluster, &["create", "namespace", "shop"]);
    alice(&cluster, &["create", "deployment", "web", "-n", "shop", "--image=clew/workload:1", "--replicas=2"]);
    rolled_out(&cluster);
    let before = make(&cluster, "before");

    drop(killed);
    cut(&cluster, "-A");
    disk.fill();
    hanging.signal("STOP");
    let slow = make(&cluster, "meanwhile");
    println!("a create took {before:?} before, and {slow:?} with a webhook that hangs");
    assert!(slow < before + HANGING + BUSY, "at most the webhook's limit more: {slow:?} against {before:?}");
    alice(&cluster, &["set", "env", "deployment/web", "-n", "shop", "RELEASE=2"]);
    rolled_out(&cluster);
    alice(&cluster, &["scale", "deployment/web", "-n", "shop", "--replicas=3"]);
    alice(&cluster, &["delete", "configmap", "before", "-n", "shop"]);
    rolled_out(&cluster);

    hanging.signal("CONT");
    disk.empty();
    cut(&cluster, "-D");
    let killed = start("killed");
    alice(&cluster, &["set", "env", "deployment/web", "-n", "shop", "RELEASE=3"]);
    rolled_out(&cluster);
    freeze(&cluster);
    for clew in [&killed, &cut_off, &full, &hanging] {
        agree(&calm, clew);
    }
}

fn agree(calm: &Clew, other: &Clew) {
    let mut words = String::new();
    let start = Instant::now();
    // As long as a connection that was silent may take to speak again, and a full store to be tried again.
    while start.elapsed() < Duration::from_mins(3) {
        let (one, another) = (told(&calm.journeys(), &["shop"]), told(&other.journeys(), &["shop"]));
        assert!(one.len() >= 7, "all that alice asked for: {one:?}");
        let Some(different) = difference(&another, &one) else {
            println!("{} told the whole story {:?} later", other.name, start.elapsed());
            return;
        };
        words = different;
        std::thread::sleep(Duration::from_secs(1));
    }
    panic!("{} (\"live\") does not tell what the undisturbed one (\"recorded\") tells:\n{words}", other.name);
}

fn alice(cluster: &Cluster, arguments: &[&str]) {
    cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|error| panic!("{error}"));
}

fn rolled_out(cluster: &Cluster) {
    alice(cluster, &["rollout", "status", "deployment/web", "-n", "shop", "--timeout=90s"]);
}

/// How long a create takes.
fn make(cluster: &Cluster, name: &str) -> Duration {
    let start = Instant::now();
    alice(cluster, &["create", "configmap", name, "-n", "shop", "--from-literal=a=1"]);
    start.elapsed()
}

/// Inside the cluster's network, at an address that packets can be kept from.
fn elsewhere(cluster: &Cluster, folder: &Path) -> Place {
    let text = std::fs::read_to_string(cluster.kubeconfig(Identity::Admin)).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    let entry = &mut config["clusters"][0]["cluster"];
    entry["server"] = entry["server"].as_str().unwrap().replace("127.0.0.1", CUT).into();
    entry["tls-server-name"] = "127.0.0.1".into();
    let path = folder.join("kubeconfig-of-cut");
    std::fs::write(&path, config.to_string()).unwrap();
    Place { network: cluster.process_one(), kubeconfig: Some(path) }
}

/// Begins or ends to drop every packet to and from the address.
fn cut(cluster: &Cluster, way: &str) {
    for side in ["-d", "-s"] {
        inside(cluster, &["iptables", "-w", way, "INPUT", side, CUT, "-j", "DROP"]);
    }
}

/// A small disk of its own, unmounted with the test.
struct Disk(PathBuf);

impl Disk {
    fn mount(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256m", "tmpfs"]).arg(folder).status();
        assert!(mounted.unwrap().success());
        Self(folder.to_owned())
    }

    fn fill(&self) {
        let mut filler = std::fs::File::create(self.0.join("filler")).unwrap();
        let failed = std::io::copy(&mut std::io::repeat(0), &mut filler).unwrap_err();
        assert_eq!(failed.kind(), std::io::ErrorKind::StorageFull);
    }

    fn empty(&self) {
        std::fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
