//! The rules for pods.

use compact_str::CompactString;

use crate::fact::{Container, Pod, Progress, Reason};

use super::views::{ContainerStatus, ContainerView, StatusView};
use super::waiting;

pub(super) fn assess(status: &StatusView) -> Progress {
    match status.phase.as_deref() {
        Some("Succeeded") => return Progress::Current,
        Some("Failed") => return failed(status),
        _ => {}
    }
    if status.since("Ready").is_some() {
        return Progress::Current;
    }
    if let Some(view) = waiting_container(status) {
        return Progress::InProgress(Box::new(words(view)));
    }
    match status.condition("PodScheduled") {
        Some(scheduled) if scheduled.status == "False" => {
            return Progress::InProgress(Box::new(scheduled.as_reason()));
        }
        None => return waiting("NotScheduled", "the scheduler has not looked at the pod yet"),
        Some(_) => {}
    }
    match status.condition("Ready") {
        Some(ready) => Progress::InProgress(Box::new(ready.as_reason())),
        None => waiting("NotStarted", "the kubelet has not taken the pod yet"),
    }
}

/// A container that waits for more than its turn: an image, a crash's back-off.
fn waiting_container(status: &StatusView) -> Option<&ContainerView> {
    let all = status.init_container_statuses.iter().chain(&status.container_statuses);
    all.filter_map(|container| container.state.waiting.as_ref())
        .find(|view| !matches!(view.reason.as_deref(), None | Some("ContainerCreating" | "PodInitializing")))
}

fn failed(status: &StatusView) -> Progress {
    let ended = status.container_statuses.iter().filter_map(|container| container.state.terminated.as_ref());
    let bad = ended.into_iter().find(|view| view.exit_code != Some(0));
    let reason = status.reason.clone().or_else(|| bad?.reason.clone()).unwrap_or_else(|| "Failed".into());
    let message = status.message.clone().or_else(|| Some(exit_words(bad?))).unwrap_or_default();
    Progress::Failed(Box::new(Reason { reason, message }))
}

fn exit_words(view: &ContainerView) -> Box<str> {
    let code = view.exit_code.unwrap_or_default();
    view.message.clone().unwrap_or_else(|| format!("a container ended with exit code {code}").into())
}

fn words(view: &ContainerView) -> Reason {
    Reason { reason: view.reason.clone().unwrap_or_default(), message: view.message.clone().unwrap_or_default() }
}

pub(super) fn detail(node: CompactString, status: &StatusView) -> Pod {
    Pod {
        node,
        phase: status.phase.clone().unwrap_or_default(),
        scheduled: status.since("PodScheduled"),
        sandbox: status.since("PodReadyToStartContainers"),
        initialized: status.since("Initialized"),
        ready: status.since("Ready"),
        disrupted: is_disrupted(status),
        containers: status.container_statuses.iter().map(container).collect(),
    }
}

/// An eviction through the API carries the same condition, but was asked for by somebody.
fn is_disrupted(status: &StatusView) -> bool {
    let target = status.condition("DisruptionTarget").filter(|target| target.status == "True");
    target.is_some_and(|target| target.reason.as_deref() != Some("EvictionByEvictionAPI"))
}

fn container(status: &ContainerStatus) -> Container {
    let ended = status.state.terminated.as_ref().or(status.last_state.terminated.as_ref());
    let ran = status.state.running.as_ref().or(ended);
    Container {
        name: status.name.clone(),
        started: ran.and_then(|view| view.started_at),
        finished: ended.and_then(|view| view.finished_at),
        exit: ended.and_then(|view| view.exit_code),
        restarts: status.restart_count,
    }
}
