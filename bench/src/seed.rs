//! The capture that is multiplied, decoded once.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, ensure};
use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_model::Time;
use clew_weave::fact::{Effect, Fact, ObjectState};

use crate::rename::NAMESPACE;

/// What is taken of the capture.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    /// The sources that are read.
    pub sources: Sources,
    /// Whether the deployment's deletion, with which the capture ends, is left out.
    pub alive: bool,
}

/// A capture of one deployment's life, with its facts in the order in which they came.
#[derive(Debug)]
pub struct Seed {
    /// What happened around the deployment: nodes, leases, what was there before.
    pub(crate) cluster: Vec<(Time, Fact)>,
    /// What happened to the deployment.
    pub(crate) deployment: Vec<(Time, Fact)>,
    /// The audit log, line by line.
    pub(crate) audit: Vec<Box<[u8]>>,
}

impl Seed {
    /// Reads the capture `rollout` of this repository.
    pub fn rollout(selection: Selection) -> anyhow::Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/rollout");
        Self::read(&folder, selection)
    }

    fn read(folder: &Path, selection: Selection) -> anyhow::Result<Self> {
        let capture = Capture::open(folder).context("the capture cannot be opened")?;
        let decoder = Decoder::new(Redactor::new([7; 32]));
        let options = ReadOptions { sources: selection.sources, ..ReadOptions::default() };
        let mut bad = BadLines::default();
        let (mut facts, mut audit) = (Vec::new(), Vec::new());
        capture.read(&options, &mut bad, &mut |line, bad| {
            if line.source == Source::Audit {
                audit.push(line.bytes.into());
            }
            if let Err(error) = decoder.line(line.source, line.bytes, &mut facts) {
                bad.report_json(line, &error);
            }
            ControlFlow::Continue(())
        });
        ensure!(bad.is_empty(), "the capture has bad lines");
        let mut timed: Vec<(Time, Fact)> = facts.into_iter().map(|fact| (came(&fact), fact)).collect();
        timed.sort_by_key(|(time, _)| *time);
        if selection.alive {
            let end = deletion(&timed).context("nobody deletes the deployment of this capture")?;
            timed.retain(|(time, _)| *time < end);
        }
        let (deployment, cluster) = timed.into_iter().partition(|(_, fact)| is_deployments(fact));
        Ok(Self { cluster, deployment, audit })
    }

    /// How many facts one more deployment adds.
    pub fn facts_per_deployment(&self) -> usize {
        self.deployment.len()
    }

    /// The first moment of the capture.
    pub(crate) fn begin(&self) -> Time {
        let times = self.cluster.iter().chain(&self.deployment).map(|(time, _)| *time);
        times.min().unwrap_or_default()
    }
}

/// When a fact reaches the weaver, were there no delays.
fn came(fact: &Fact) -> Time {
    match fact {
        Fact::Write(write) => write.done,
        Fact::Observation(observation) => observation.time,
        Fact::Event(event) => event.time,
        Fact::Native(span) => span.start,
        Fact::Cri(call) => call.end,
        Fact::Admission(admission) => admission.time,
        Fact::Step(step) => step.end.unwrap_or(step.start),
    }
}

/// When the deployment's end was asked for.
fn deletion(facts: &[(Time, Fact)]) -> Option<Time> {
    let mut deletions = facts.iter().filter_map(|(_, fact)| match fact {
        Fact::Write(write) if write.verb == clew_weave::fact::Verb::Delete => Some(write),
        _ => None,
    });
    deletions.find(|write| write.target.kind.resource == "deployments").map(|write| write.received)
}

/// Whether a fact is about the deployment, and so has to happen in every copy.
fn is_deployments(fact: &Fact) -> bool {
    match fact {
        Fact::Write(write) => {
            let target = &write.target;
            let places = ["namespaces", "ipaddresses"];
            target.namespace == NAMESPACE
                || places.contains(&target.kind.resource.as_str())
                || matches!(&write.effect, Effect::Object(state) if state.namespace == NAMESPACE)
        }
        Fact::Observation(observation) => is_in_deployment(&observation.state),
        Fact::Event(event) => event.kind != "Node",
        Fact::Native(span) => span.audit.is_some() || span.pod.is_some(),
        Fact::Cri(_) | Fact::Admission(_) | Fact::Step(_) => true,
    }
}

fn is_in_deployment(state: &ObjectState) -> bool {
    state.namespace == NAMESPACE || (state.kind.resource == "namespaces" && state.name == NAMESPACE)
}
