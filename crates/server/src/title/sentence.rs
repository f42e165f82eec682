//! The whole sentence.

use clew_weave::{Journey, Root, RootKind};

use super::{change, commit, helm, who};
use crate::view::object_kind;

/// What the root of a journey did, in words.
pub fn title(journey: &Journey) -> String {
    let root = &journey.root;
    let object = object(journey);
    if root.kind == RootKind::Timer {
        return tick(root, &object);
    }
    if let Some(revision) = &root.revision {
        return commit::sentence(journey, revision);
    }
    let (person, tool) = who::actor(&root.user, &root.agent);
    let deed = helm::deed(root, &journey.diff).unwrap_or_else(|| deed(journey, &object));
    format!("{person} {deed}{tool}")
}

/// `Deployment shop/web`, `Node node1`.
fn object(journey: &Journey) -> String {
    let root = &journey.root;
    let kind = object_kind(journey);
    match (root.namespace.as_str(), root.name.as_str()) {
        ("", "") => format!("all {kind}"),
        (namespace, "") => format!("all {kind} of {namespace}"),
        ("", name) => format!("{kind} {name}"),
        (namespace, name) => format!("{kind} {namespace}/{name}"),
    }
}

/// A timer's owner is known by the name that it gives: a CronJob's Jobs end in the minute of their tick.
fn tick(root: &Root, object: &str) -> String {
    let owner = root.name.rsplit_once('-').filter(|(_, minute)| minute.bytes().all(|byte| byte.is_ascii_digit()));
    match owner {
        Some((owner, _)) if root.resource == "jobs" => {
            format!("CronJob {}/{owner} ticked and created {object}", root.namespace)
        }
        _ => format!("a timer created {object}"),
    }
}

fn deed(journey: &Journey, object: &str) -> String {
    let root = &journey.root;
    match (root.verb.as_str(), root.subresource.as_str()) {
        ("create", "eviction") => format!("evicted {object}"),
        ("create", "binding") => format!("bound {object} to a node"),
        ("create", "") => format!("created {object}"),
        ("create", subresource) => format!("created {subresource} of {object}"),
        (_, "status") => format!("changed the status of {object}"),
        ("delete" | "deletecollection", _) => format!("deleted {object}"),
        (verb, subresource) => change::words(verb, subresource, &journey.diff, object),
    }
}
