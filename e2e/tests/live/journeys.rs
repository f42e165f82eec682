//! What a live clew weaves is what `clew weave` makes of a capture that was recorded at the same time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use clew_collect::decode::Decoder;
use clew_collect::record::{self, AuditFrom, Counts, Plan, WatchFrom};
use clew_collect::redact::Redactor;
use clew_collect::replay::Replay;
use clew_collect::watch::Selection;
use clew_e2e::{Cluster, Identity, Options};
use clew_weave::fact::Fact;
use clew_weave::{Config, Journey, Weaver};
use tokio::sync::watch;

use crate::harness::{eventually, name, turn, up};
use crate::live::{CLUSTER, KEY, Live};

#[test]
fn a_live_watch_gives_the_journeys_of_a_capture_of_the_same_time() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options::new(name("live-journeys")));
    let mut live = Live::start(&cluster, &folder.path().join("state"), Arc::default());
    live.follow_audit(&cluster);
    let capturing = Recorder::start(&live, &cluster, &folder.path().join("capture"));
    roll_out(&cluster);
    // What settles after the last command is part of both.
    std::thread::sleep(std::time::Duration::from_secs(8));
    capturing.end(&live);
    let facts = live.end().facts(CLUSTER);
    let capture = folder.path().join("capture");
    for sources in [Sources::NONE.with(Source::Watch), Sources::NONE.with(Source::Audit).with(Source::Watch)] {
        let (live, recorded) = (woven(&facts, sources), replayed(&capture, sources));
        assert!(recorded.len() >= 6, "{}: {recorded:?}", recorded.len());
        for id in live.keys().chain(recorded.keys()) {
            assert_eq!(live.get(id), recorded.get(id), "journey {id} with {sources:?}");
        }
    }
}

/// The commands of the capture `rollout`: each of them is a journey.
fn roll_out(cluster: &Cluster) {
    let alice = |arguments: &[&str]| cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|e| panic!("{e}"));
    alice(&["create", "namespace", "shop"]);
    let deployment = ["-n", "shop", "create", "deployment", "web", "--image=clew/workload:1", "--replicas=3"];
    eventually("the deployment", || cluster.kubectl(Identity::Alice, &deployment).ok());
    alice(&["-n", "shop", "rollout", "status", "deployment", "web", "--timeout=90s"]);
    alice(&["-n", "shop", "expose", "deployment", "web", "--port=80"]);
    alice(&["-n", "shop", "set", "env", "deployment/web", "COLOUR=green"]);
    alice(&["-n", "shop", "rollout", "status", "deployment", "web", "--timeout=90s"]);
    alice(&["-n", "shop", "scale", "deployment", "web", "--replicas=1"]);
    alice(&["-n", "shop", "create", "configmap", "settings", "--from-literal=a=1"]);
    alice(&["-n", "shop", "delete", "deployment", "web"]);
}

/// What of a journey does not depend on when each of two watchers read an object.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    root: String,
    user: String,
    state: String,
    writes: Vec<String>,
    objects: Vec<String>,
    diff: Vec<String>,
}

/// The journeys of the namespace: the two did not begin at the same moment, and a young cluster is busy with itself.
fn told(journeys: &[Journey]) -> BTreeMap<String, Told> {
    let of_shop = |journey: &&Journey| journey.root.namespace == "shop" || journey.root.name == "shop";
    let told = journeys.iter().filter(of_shop).map(|journey| {
        let root = &journey.root;
        let mut writes: Vec<String> = journey.writes.iter().map(ToString::to_string).collect();
        writes.sort();
        let mut objects: Vec<String> =
            journey.objects.iter().map(|it| format!("{} {}/{} {}", it.kind, it.namespace, it.name, it.uid)).collect();
        objects.sort();
        let told = Told {
            root: format!("{} {} {}/{}", root.verb, root.resource, root.namespace, root.name),
            user: root.user.to_string(),
            state: format!("{:?} {:?}", journey.state, journey.waiting_on),
            writes,
            objects,
            diff: journey.diff.iter().map(ToString::to_string).collect(),
        };
        (journey.journey.to_string(), told)
    });
    told.collect()
}

fn woven(facts: &[Fact], sources: Sources) -> BTreeMap<String, Told> {
    let config =
        Config { cluster: CLUSTER.to_owned(), batch: usize::MAX, keep_converged: i64::MAX, ..Config::default() };
    let mut weaver = Weaver::new(config);
    for fact in facts {
        let source = if matches!(fact, Fact::Write(_)) { Source::Audit } else { Source::Watch };
        if sources.contains(source) {
            weaver.apply(fact.clone());
        }
    }
    let now = weaver.now();
    told(&weaver.advance(now).journeys)
}

fn replayed(folder: &Path, sources: Sources) -> BTreeMap<String, Told> {
    let mut replay = Replay {
        options: ReadOptions { sources, ..ReadOptions::default() },
        cluster: CLUSTER.to_owned(),
        keep_native: false,
        progress: &mut |_| {},
    };
    let mut bad = BadLines::default();
    let captures = [Capture::open(folder).unwrap()];
    let replayed = replay.run(&captures, &Decoder::new(Redactor::new(KEY)), &mut bad);
    assert!(bad.is_empty(), "{bad}");
    told(&replayed.journeys)
}

/// `clew capture`, as a library.
struct Recorder {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Recorder {
    fn start(live: &Live, cluster: &Cluster, out: &Path) -> Self {
        let kubeconfig = Some(cluster.kubeconfig(Identity::Admin));
        let plan = Plan {
            out: out.to_owned(),
            key: KEY,
            audit: Some(AuditFrom::Log(cluster.folder().audit_log())),
            watch: Some(WatchFrom { kubeconfig, context: None, selection: Selection::default() }),
            otlp: None,
        };
        let (stop, stopped) = watch::channel(false);
        let (begun, has_begun) = std::sync::mpsc::sync_channel(100);
        let notify: record::Notify = Arc::new(move |notice| {
            if notice.text.contains("sees every change") {
                let _ = begun.try_send(());
            }
        });
        let task = live.runtime().spawn(async move {
            record::record(plan, Arc::new(Counts::default()), notify, stopped).await.unwrap();
        });
        has_begun.recv_timeout(std::time::Duration::from_mins(1)).unwrap();
        Self { stop, task }
    }

    fn end(self, live: &Live) {
        self.stop.send_replace(true);
        live.runtime().block_on(self.task).unwrap();
    }
}
