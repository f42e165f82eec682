//! The rules for the kinds that run pods.

use crate::fact::Progress;

use super::views::{SpecView, StatusView};
use super::waiting;

pub(super) fn deployment(spec: &SpecView, status: &StatusView) -> Progress {
    let wanted = spec.replicas.unwrap_or(1);
    if spec.paused == Some(true) {
        return waiting("Paused", "the rollout is paused");
    }
    if let Some(progressing) = status.condition("Progressing")
        && progressing.reason.as_deref() == Some("ProgressDeadlineExceeded")
    {
        return Progress::Failed(Box::new(progressing.as_reason()));
    }
    if status.observed_generation.is_none() {
        return waiting("NotObserved", "the deployment controller has not seen it yet");
    }
    if let Some(failure) = status.condition("ReplicaFailure")
        && failure.status == "True"
    {
        return Progress::InProgress(Box::new(failure.as_reason()));
    }
    count("LessUpdated", "updated", status.updated_replicas, wanted)
        .or_else(|| extra("OldReplicas", status.replicas, status.updated_replicas))
        .or_else(|| count("LessAvailable", "available", status.available_replicas, wanted))
        .unwrap_or(Progress::Current)
}

pub(super) fn replica_set(spec: &SpecView, status: &StatusView) -> Progress {
    let wanted = spec.replicas.unwrap_or(1);
    if status.observed_generation.is_none() {
        return waiting("NotObserved", "the replicaset controller has not seen it yet");
    }
    if let Some(failure) = status.condition("ReplicaFailure")
        && failure.status == "True"
    {
        return Progress::InProgress(Box::new(failure.as_reason()));
    }
    count("LessReplicas", "made", status.replicas, wanted)
        .or_else(|| extra("ExtraReplicas", status.replicas, wanted))
        .or_else(|| count("LessAvailable", "available", status.available_replicas, wanted))
        .unwrap_or(Progress::Current)
}

pub(super) fn stateful_set(spec: &SpecView, status: &StatusView) -> Progress {
    let wanted = spec.replicas.unwrap_or(1);
    let strategy = spec.update_strategy.as_ref();
    if status.observed_generation.is_none() {
        return waiting("NotObserved", "the statefulset controller has not seen it yet");
    }
    if strategy.is_some_and(|strategy| strategy.kind.as_deref() == Some("OnDelete")) {
        return count("LessReady", "ready", status.ready_replicas, wanted).unwrap_or(Progress::Current);
    }
    let partition = strategy.and_then(|strategy| strategy.rolling_update.as_ref()?.partition).unwrap_or(0);
    let to_update = (wanted - partition).max(0);
    let rolled = partition > 0 || status.current_revision == status.update_revision;
    count("LessReplicas", "made", status.replicas, wanted)
        .or_else(|| extra("ExtraReplicas", status.replicas, wanted))
        .or_else(|| count("LessUpdated", "updated", status.updated_replicas, to_update))
        .or_else(|| count("LessReady", "ready", status.ready_replicas, wanted))
        .or_else(|| (!rolled).then(|| waiting("RollingUpdate", "the current revision is not the newest yet")))
        .unwrap_or(Progress::Current)
}

pub(super) fn daemon_set(status: &StatusView) -> Progress {
    let wanted = status.desired_number_scheduled;
    if status.observed_generation.is_none() {
        return waiting("NotObserved", "the daemonset controller has not seen it yet");
    }
    count("LessNodes", "scheduled", status.current_number_scheduled, wanted)
        .or_else(|| count("LessUpdated", "updated", status.updated_number_scheduled, wanted))
        .or_else(|| count("LessAvailable", "available", status.number_available, wanted))
        .or_else(|| count("LessReady", "ready", status.number_ready, wanted))
        .unwrap_or(Progress::Current)
}

/// kstatus calls a Job current once it has begun; a journey waits until it is complete.
pub(super) fn job(spec: &SpecView, status: &StatusView) -> Progress {
    if let Some(failed) = status.condition("Failed")
        && failed.status == "True"
    {
        return Progress::Failed(Box::new(failed.as_reason()));
    }
    if status.condition("Complete").is_some_and(|complete| complete.status == "True") {
        return Progress::Current;
    }
    if spec.suspend == Some(true) {
        return waiting("Suspended", "the job is suspended");
    }
    let wanted = spec.completions.or(spec.parallelism).unwrap_or(1);
    let message = format!("{} of {wanted} pods have succeeded, {} failed", status.succeeded, status.failed);
    waiting("Running", message)
}

fn count(reason: &str, what: &str, have: i64, wanted: i64) -> Option<Progress> {
    (have < wanted).then(|| waiting(reason, format!("{have} of {wanted} replicas are {what}")))
}

fn extra(reason: &str, have: i64, wanted: i64) -> Option<Progress> {
    (have > wanted).then(|| waiting(reason, format!("{} replicas are still to be removed", have - wanted)))
}
