//! The fields of spec and status that the rules look at.

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Deserializer};

use crate::fact::Reason;

/// What the rules look at in a spec.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SpecView {
    /// The replicas that are asked for.
    pub replicas: Option<i64>,
    /// The pods that a Job may run at once.
    pub parallelism: Option<i64>,
    /// The pods that a Job must complete.
    pub completions: Option<i64>,
    /// Whether a Job is suspended.
    pub suspend: Option<bool>,
    /// Whether a Deployment is paused.
    pub paused: Option<bool>,
    /// The node that a pod runs on.
    pub node_name: Option<CompactString>,
    /// A Service's type.
    #[serde(rename = "type")]
    pub kind: Option<CompactString>,
    /// How a StatefulSet rolls out.
    pub update_strategy: Option<UpdateStrategy>,
}

/// How a StatefulSet or DaemonSet rolls out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// `RollingUpdate` or `OnDelete`.
    #[serde(rename = "type")]
    pub kind: Option<CompactString>,
    /// The details of a rolling update.
    pub rolling_update: Option<RollingUpdate>,
}

/// The details of a rolling update.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RollingUpdate {
    /// The ordinal from which pods are updated.
    pub partition: Option<i64>,
}

/// What the rules look at in a status.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct StatusView {
    /// The generation that the controller has seen.
    pub observed_generation: Option<i64>,
    /// The conditions.
    #[serde(deserialize_with = "null_as_empty")]
    pub conditions: Vec<ConditionView>,
    /// The phase, of kinds that have one.
    pub phase: Option<CompactString>,
    /// A reason beside the phase.
    pub reason: Option<CompactString>,
    /// A message beside the phase.
    pub message: Option<Box<str>>,
    /// All pods.
    pub replicas: i64,
    /// The pods of the newest template.
    pub updated_replicas: i64,
    /// The pods that are ready.
    pub ready_replicas: i64,
    /// The pods that are available.
    pub available_replicas: i64,
    /// The pods of the current revision of a StatefulSet.
    pub current_replicas: i64,
    /// A StatefulSet's current revision.
    pub current_revision: Option<CompactString>,
    /// A StatefulSet's newest revision.
    pub update_revision: Option<CompactString>,
    /// The nodes that should run a DaemonSet's pod.
    pub desired_number_scheduled: i64,
    /// The nodes that run one.
    pub current_number_scheduled: i64,
    /// The nodes that run the newest.
    pub updated_number_scheduled: i64,
    /// The nodes whose pod is available.
    pub number_available: i64,
    /// The nodes whose pod is ready.
    pub number_ready: i64,
    /// A Job's pods that run.
    pub active: i64,
    /// A Job's pods that are done.
    pub succeeded: i64,
    /// A Job's pods that failed.
    pub failed: i64,
    /// When the kubelet took the pod, or the Job began.
    pub start_time: Option<Time>,
    /// The pod's containers.
    #[serde(deserialize_with = "null_as_empty")]
    pub container_statuses: Vec<ContainerStatus>,
    /// The pod's init containers.
    #[serde(deserialize_with = "null_as_empty")]
    pub init_container_statuses: Vec<ContainerStatus>,
    /// A Service's addresses outside.
    pub load_balancer: Option<LoadBalancer>,
}

impl StatusView {
    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&ConditionView> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// When the condition became true, while it is.
    pub fn since(&self, kind: &str) -> Option<Time> {
        self.condition(kind).filter(|condition| condition.status == "True")?.last_transition_time
    }
}

/// A condition.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ConditionView {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: CompactString,
    /// `True`, `False` or `Unknown`.
    pub status: CompactString,
    /// Why, in a word.
    pub reason: Option<CompactString>,
    /// Why, in a sentence.
    pub message: Option<Box<str>>,
    /// When it last changed, to the second.
    pub last_transition_time: Option<Time>,
}

impl ConditionView {
    /// The condition's own words.
    pub fn as_reason(&self) -> Reason {
        let reason = self.reason.clone().filter(|reason| !reason.is_empty());
        Reason {
            reason: reason.unwrap_or_else(|| format!("Not{}", self.kind).into()),
            message: self.message.clone().unwrap_or_default(),
        }
    }
}

/// A container in a pod's status.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ContainerStatus {
    /// Its name.
    pub name: CompactString,
    /// How often it was started again.
    pub restart_count: u32,
    /// Whether it is ready.
    pub ready: bool,
    /// What it does now.
    pub state: ContainerState,
    /// What it did before.
    pub last_state: ContainerState,
}

/// What a container does: one of three.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ContainerState {
    /// It waits.
    pub waiting: Option<ContainerView>,
    /// It runs.
    pub running: Option<ContainerView>,
    /// It ended.
    pub terminated: Option<ContainerView>,
}

/// The details of what a container does.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ContainerView {
    /// Why.
    pub reason: Option<CompactString>,
    /// Why, in a sentence.
    pub message: Option<Box<str>>,
    /// Since when it runs.
    pub started_at: Option<Time>,
    /// When it ended.
    pub finished_at: Option<Time>,
    /// How it ended.
    pub exit_code: Option<i32>,
}

/// A Service's addresses outside.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoadBalancer {
    /// One for each address.
    #[serde(deserialize_with = "null_as_empty")]
    pub ingress: Vec<serde::de::IgnoredAny>,
}

fn null_as_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Option::<Vec<T>>::deserialize(deserializer).map(Option::unwrap_or_default)
}
