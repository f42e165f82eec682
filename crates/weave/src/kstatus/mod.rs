//! How far an object is, by the rules of kstatus: observedGeneration, conditions, replica counts, pod readiness.
//!
//! One view for the spec and one for the status of every kind: fields that a kind does not have are absent.

mod pod;
mod views;
mod workload;

pub use views::{ConditionView, ContainerState, ContainerStatus, ContainerView, SpecView, StatusView};

use compact_str::CompactString;

use crate::fact::{Kind, Pod, Progress, Reason};

/// What the rules look at besides spec and status.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The kind of object.
    pub kind: &'a Kind,
    /// Its generation; 0 for kinds without one.
    pub generation: i64,
    /// Whether its deletion was asked for.
    pub deleting: bool,
}

/// How far the object is.
pub fn assess(subject: Subject<'_>, spec: &SpecView, status: &StatusView) -> Progress {
    if subject.deleting {
        return waiting("Terminating", "deletion was asked for and is not finished");
    }
    if let Some(observed) = status.observed_generation
        && observed < subject.generation
    {
        return waiting("NotObserved", format!("generation {} is not observed yet, {observed} is", subject.generation));
    }
    match (subject.kind.group.as_str(), subject.kind.resource.as_str()) {
        ("apps", "deployments") => workload::deployment(spec, status),
        ("apps", "replicasets") | ("", "replicationcontrollers") => workload::replica_set(spec, status),
        ("apps", "statefulsets") => workload::stateful_set(spec, status),
        ("apps", "daemonsets") => workload::daemon_set(status),
        ("batch", "jobs") => workload::job(spec, status),
        ("batch", "cronjobs") => Progress::Current,
        ("", "pods") => pod::assess(status),
        ("", "persistentvolumeclaims") => phase(status, "Bound", "the claim is not bound"),
        ("", "services") => service(spec, status),
        ("", "namespaces") => phase(status, "Active", "the namespace is not active"),
        ("apiextensions.k8s.io", "customresourcedefinitions") => definition(status),
        _ => by_conditions(status),
    }
}

/// What a pod's status tells of its way.
pub fn pod(node: CompactString, status: &StatusView) -> Pod {
    pod::detail(node, status)
}

fn service(spec: &SpecView, status: &StatusView) -> Progress {
    let asks_for_balancer = spec.kind.as_deref() == Some("LoadBalancer");
    let has_balancer = status.load_balancer.as_ref().is_some_and(|balancer| !balancer.ingress.is_empty());
    if asks_for_balancer && !has_balancer {
        return waiting("NoLoadBalancer", "the load balancer has no address yet");
    }
    Progress::Current
}

fn phase(status: &StatusView, wanted: &str, message: &str) -> Progress {
    match status.phase.as_deref() {
        None => Progress::Unknown,
        Some(phase) if phase == wanted => Progress::Current,
        Some(phase) => waiting(phase, message),
    }
}

fn definition(status: &StatusView) -> Progress {
    if let Some(names) = status.condition("NamesAccepted")
        && names.status == "False"
    {
        return Progress::Failed(Box::new(names.as_reason()));
    }
    match status.condition("Established") {
        Some(condition) if condition.status == "True" => Progress::Current,
        _ => waiting("NotEstablished", "the API is not served yet"),
    }
}

/// The rules for kinds that kstatus does not know: conditions of well-known meaning, or nothing to wait for.
fn by_conditions(status: &StatusView) -> Progress {
    if let Some(stalled) = status.condition("Stalled")
        && stalled.status == "True"
    {
        return Progress::Failed(Box::new(stalled.as_reason()));
    }
    if let Some(reconciling) = status.condition("Reconciling")
        && reconciling.status == "True"
    {
        return Progress::InProgress(Box::new(reconciling.as_reason()));
    }
    let waits = conclusions(status).find(|condition| condition.status != "True");
    waits.map_or_else(|| by_phase(status), |waits| Progress::InProgress(Box::new(waits.as_reason())))
}

/// The conditions whose types are words for being done.
fn conclusions(status: &StatusView) -> impl Iterator<Item = &ConditionView> {
    const DONE: [&str; 6] = ["Ready", "Available", "Healthy", "Completed", "Promoted", "Succeeded"];
    DONE.iter().filter_map(|kind| status.condition(kind))
}

/// Whether a status has a word for being done. Of a kind without one nobody can tell if its controller is still at it.
pub fn concludes(status: &StatusView) -> bool {
    conclusions(status).next().is_some() || status.condition("Reconciling").is_some()
}

/// What a phase says by its word: `Progressing`, `Creating`, `Pending` are on their way.
fn by_phase(status: &StatusView) -> Progress {
    const WAITS: [&str; 6] = ["Pending", "InProgress", "Paused", "Queued", "New", "Unknown"];
    let Some(phase) = status.phase.as_deref() else { return Progress::Current };
    if WAITS.contains(&phase) || phase.ends_with("ing") && phase != "Running" {
        return waiting(phase, status.message.clone().unwrap_or_default());
    }
    Progress::Current
}

fn waiting(reason: &str, message: impl Into<Box<str>>) -> Progress {
    Progress::InProgress(Box::new(Reason { reason: reason.into(), message: message.into() }))
}

#[cfg(test)]
mod tests;
