//! Two replicas, what the API server and others send to either of them, and where their journeys go.

use std::collections::BTreeMap;
use std::path::Path;

use clew_e2e::{Cluster, Identity, Options};
use clew_testkit::otlp::Sink;
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{eventually, name, up};
use crate::replica::{Plan, Replica, folder, free_port};
use crate::way::Way;

/// The forms in which each span arrived, by its trace and id.
pub(crate) type Arrived = BTreeMap<(String, String), Vec<Vec<u8>>>;

/// Everything that a test of two replicas has.
pub(crate) struct Pair {
    pub(crate) cluster: Cluster,
    pub(crate) replicas: Vec<Replica>,
    /// The API server's audit events go this way, to one of both.
    _audit: Way,
    /// The way from each replica to the other.
    pub(crate) between: [Way; 2],
    pub(crate) sink: Sink,
    _folder: TempDir,
}

impl Pair {
    /// A cluster with simulated nodes, and two replicas that watch it.
    pub(crate) fn up(called: &str) -> Self {
        let (audit, between) = (Way::new(), [Way::new(), Way::new()]);
        let cluster = up(Options {
            control_plane_only: true,
            kwok: 1,
            audit_webhook: Some(format!("http://127.0.0.1:{}/audit/test", audit.port())),
            reach: vec![audit.port()],
            ..Options::new(name(called))
        });
        let data = tempfile::tempdir().unwrap();
        let sink = Sink::start().unwrap();
        let plan = |name, peer: &Way| Plan {
            name,
            folder: folder(data.path(), "data"),
            peer: peer.url(),
            forward: sink.endpoint(),
            lease: "default/clew".to_owned(),
            http: free_port(),
            otlp: free_port(),
        };
        let plans = [plan("a", &between[0]), plan("b", &between[1])];
        between[0].lead_to(&[plans[1].http]);
        between[1].lead_to(&[plans[0].http]);
        audit.lead_to(&[plans[0].http, plans[1].http]);
        let replicas: Vec<Replica> = plans.iter().map(|plan| Replica::up(&cluster, plan)).collect();
        let pair = Self { cluster, replicas, _audit: audit, between, sink, _folder: data };
        eventually("both to watch, and one to lead", || {
            let watch = pair.replicas.iter().all(Replica::watches);
            (watch && pair.replicas.iter().filter(|replica| replica.leads()).count() == 1).then_some(())
        });
        pair
    }

    /// The place of the one that leads.
    pub(crate) fn leader(&self) -> usize {
        self.replicas.iter().position(Replica::leads).expect("one leads")
    }

    pub(crate) fn kubectl(&self, arguments: &[&str]) {
        self.cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|error| panic!("{error}"));
    }

    /// How often each span arrived in each form, by its ids; and who sent each request.
    pub(crate) fn arrived(&self) -> (Arrived, Vec<String>) {
        let (mut spans, mut senders) = (Arrived::new(), Vec::new());
        for received in self.sink.received() {
            senders.push(received.metadata.get("replica").unwrap().to_str().unwrap().to_owned());
            let resources = received.request.resource_spans.iter();
            for span in resources.flat_map(|resource| &resource.scope_spans).flat_map(|scope| &scope.spans) {
                let form = format!("{span:?}").into_bytes();
                spans.entry((hex(&span.trace_id), hex(&span.span_id))).or_default().push(form);
            }
        }
        (spans, senders)
    }

    /// Waits until every span of these journeys has arrived, in the form that a replica has of it last; gives the ids of
    /// spans that arrived twice in one form.
    pub(crate) fn all_arrive(&self, journeys: &[Value]) -> Vec<(String, String)> {
        let replica = &self.replicas[self.leader()];
        eventually("every journey's spans to arrive", || {
            let (arrived, _) = self.arrived();
            let ids: Vec<String> = journeys.iter().map(|it| format!("'{}'", it["journey"].as_str().unwrap())).collect();
            let query = format!(
                "select journey_id, span_id from spans where class = 'journey' and journey_id in ({})",
                ids.join(",")
            );
            let stored = replica.sql(&query);
            let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
            let is_there = |row: &Value| arrived.contains_key(&(text(row, "journey_id"), text(row, "span_id")));
            (!stored.is_empty() && stored.iter().all(is_there)).then_some(())
        });
        let twice = |forms: &Vec<Vec<u8>>| {
            let mut sorted = forms.clone();
            sorted.sort();
            sorted.dedup();
            sorted.len() < forms.len()
        };
        let (arrived, _) = self.arrived();
        arrived.into_iter().filter(|(_, forms)| twice(forms)).map(|(ids, _)| ids).collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Starts a replica again that ended, as it was.
pub(crate) fn again(cluster: &Cluster, plan: &Plan) -> Replica {
    assert!(Path::new(&plan.folder).exists());
    let replica = Replica::up(cluster, plan);
    eventually("the replica to watch again", || replica.watches().then_some(()));
    replica
}
