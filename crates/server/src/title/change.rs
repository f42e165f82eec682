//! What an update did, in words.

use clew_weave::FieldDiff;

use super::fields::{Meaning, meaning, value};

/// How many fields a title names.
const NAMED: usize = 2;

/// What an update or patch did to the object.
pub(super) fn words(verb: &str, subresource: &str, diff: &[FieldDiff], object: &str) -> String {
    let told: Vec<(Meaning, &FieldDiff)> =
        diff.iter().map(|field| (meaning(field), field)).filter(|(meaning, _)| *meaning != Meaning::Noise).collect();
    if let Some((_, field)) = told.iter().find(|(meaning, _)| *meaning == Meaning::Restart) {
        let alone = told.len() == 1 || field.path.contains("restartedAt");
        return if alone { format!("restarted {object}") } else { format!("changed and restarted {object}") };
    }
    match told.as_slice() {
        [] => nothing_told(verb, subresource, object),
        [(meaning, field)] => one(meaning, field, subresource, object),
        several => many(several, object),
    }
}

/// The change is known, but not what it changed.
fn nothing_told(verb: &str, subresource: &str, object: &str) -> String {
    match (verb, subresource) {
        ("apply", _) => format!("applied {object}"),
        (_, "scale") => format!("scaled {object}"),
        (_, "") => format!("changed {object}"),
        (_, subresource) => format!("changed {subresource} of {object}"),
    }
}

fn one(meaning: &Meaning, field: &FieldDiff, subresource: &str, object: &str) -> String {
    let is_on = field.after.as_deref() == Some("true");
    match meaning {
        Meaning::Replicas if field.before.is_none() && subresource != "scale" => format!("applied {object}"),
        Meaning::Replicas => scaled(field, object),
        Meaning::Paused if is_on => format!("paused the rollout of {object}"),
        Meaning::Paused => format!("resumed the rollout of {object}"),
        Meaning::Suspend if is_on => format!("suspended {object}"),
        Meaning::Suspend => format!("resumed {object}"),
        Meaning::Unschedulable if is_on => format!("cordoned {object}"),
        Meaning::Unschedulable => format!("uncordoned {object}"),
        Meaning::Taints if field.after.is_none() => format!("removed the taints of {object}"),
        Meaning::Taints => format!("tainted {object}"),
        Meaning::Image => assigned("image", field, object),
        Meaning::Env(name) => named("env", name, field, object),
        Meaning::Label(key) => named("label", key, field, object),
        Meaning::Annotation(key) => named("annotation", key, field, object),
        Meaning::Labels => whole_map("label", field, object),
        Meaning::Annotations => whole_map("annotation", field, object),
        Meaning::Noise | Meaning::Restart | Meaning::Other => assigned(&field.path, field, object),
    }
}

fn scaled(field: &FieldDiff, object: &str) -> String {
    match (&field.before, &field.after) {
        (Some(before), Some(after)) => format!("scaled {object} from {before} to {after}"),
        (_, after) => format!("scaled {object} to {}", after.as_deref().unwrap_or("the default")),
    }
}

/// `set image web:2 on …`, `set spec.minAvailable to 3 on …`.
fn assigned(what: &str, field: &FieldDiff, object: &str) -> String {
    let to = if what == "image" { "" } else { "to " };
    match (value(field.after.as_deref()), &field.after) {
        (Some(after), _) => format!("set {what} {to}{after} on {object}"),
        (None, Some(_)) => format!("changed {what} of {object}"),
        (None, None) => format!("removed {what} from {object}"),
    }
}

/// `set env RELEASE=2 on …`.
fn named(what: &str, name: &str, field: &FieldDiff, object: &str) -> String {
    match (value(field.after.as_deref()), &field.after) {
        (Some(after), _) => format!("set {what} {name}={after} on {object}"),
        (None, Some(_)) => format!("changed {what} {name} of {object}"),
        (None, None) => format!("removed {what} {name} from {object}"),
    }
}

/// The first labels of an object come as one map.
fn whole_map(what: &str, field: &FieldDiff, object: &str) -> String {
    let Some(after) = &field.after else { return format!("removed every {what} from {object}") };
    let map: serde_json::Map<String, serde_json::Value> = serde_json::from_str(after).unwrap_or_default();
    let pairs: Vec<String> = map
        .iter()
        .take(NAMED)
        .map(|(key, value)| format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    match pairs.as_slice() {
        [] => format!("changed the {what}s of {object}"),
        pairs if map.len() > NAMED => {
            format!("set {what}s {} and {} more on {object}", pairs.join(", "), map.len() - NAMED)
        }
        [pair] => format!("set {what} {pair} on {object}"),
        pairs => format!("set {what}s {} on {object}", pairs.join(", ")),
    }
}

/// The most telling change first, then how many more.
fn many(told: &[(Meaning, &FieldDiff)], object: &str) -> String {
    let sets: Vec<String> = told.iter().filter_map(|(meaning, field)| short(meaning, field)).collect();
    let rest = told.len() - sets.len().min(NAMED);
    if sets.is_empty() {
        return unspecific(told, object);
    }
    let named = sets[..sets.len().min(NAMED)].join(", ");
    match rest {
        0 => format!("set {named} on {object}"),
        1 => format!("set {named} and one more field on {object}"),
        rest => format!("set {named} and {rest} more fields on {object}"),
    }
}

/// A change that fits into a list of several.
fn short(meaning: &Meaning, field: &FieldDiff) -> Option<String> {
    let after = value(field.after.as_deref())?;
    match meaning {
        Meaning::Image => Some(format!("image {after}")),
        Meaning::Env(name) => Some(format!("env {name}={after}")),
        Meaning::Replicas => Some(format!("replicas {after}")),
        _ => None,
    }
}

fn unspecific(told: &[(Meaning, &FieldDiff)], object: &str) -> String {
    let paths: Vec<&str> = told.iter().map(|(_, field)| field.path.as_str()).collect();
    match paths.as_slice() {
        [one, other] if one.len() + other.len() < 80 => format!("changed {one} and {other} of {object}"),
        [first, rest @ ..] => format!("changed {first} and {} more fields of {object}", rest.len()),
        [] => format!("changed {object}"),
    }
}
