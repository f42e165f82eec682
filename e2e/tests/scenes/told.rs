//! What of a journey does not depend on when each of two watchers read an object.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Journeys by their ids.
pub(crate) type Told = BTreeMap<String, Value>;

/// The journeys whose root is in these namespaces, or is one of them.
///
/// Watchers do not begin at the same moment, and a young cluster is busy with itself.
pub(crate) fn told(journeys: &[Value], namespaces: &[&str]) -> Told {
    let wanted = |journey: &&Value| {
        let root = &journey["root"];
        let text = |key: &str| root[key].as_str().unwrap_or_default();
        namespaces.contains(&text("namespace"))
            || (text("resource") == "namespaces" && namespaces.contains(&text("name")))
    };
    journeys.iter().filter(wanted).map(|journey| (text(&journey["journey"]), essence(journey))).collect()
}

fn essence(journey: &Value) -> Value {
    json!({
        "root": journey["root"],
        "command": command(journey),
        "state": state(&journey["state"]),
        "waits": [journey["waitingOn"]["reason"], journey["waitingOn"]["object"]["name"]],
        "writes": sorted(&journey["writes"]),
        "objects": sorted(&journey["objects"]),
        "segments": sorted(&journey["segments"]),
        "diff": without_hashes(&journey["diff"]),
    })
}

/// Without the audit log, what belongs to one command is told by when each change was read.
fn command(journey: &Value) -> Value {
    if journey["root"]["auditID"].is_null() { Value::Null } else { journey["command"].clone() }
}

/// Whether nothing has moved for too long is a matter of the clock, which goes on for who lives and stands for a recording.
fn state(state: &Value) -> Value {
    if state == "stuck" { json!("open") } else { state.clone() }
}

fn sorted(list: &Value) -> Value {
    let mut items: Vec<String> = list.as_array().into_iter().flatten().map(ToString::to_string).collect();
    items.sort();
    json!(items)
}

/// The hash of a hidden value depends on the key, which each installation and each recording has of its own.
fn without_hashes(diff: &Value) -> Value {
    let hidden = |value: &Value| value.as_str().is_some_and(|text| text.contains("redacted:hmac:"));
    let field = |field: &Value| {
        let mut field = field.clone();
        for side in ["before", "after"] {
            if hidden(&field[side]) {
                field[side] = json!("hidden");
            }
        }
        field
    };
    diff.as_array().into_iter().flatten().map(field).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What two tell differently, in words; none if they agree.
pub(crate) fn difference(live: &Told, recorded: &Told) -> Option<String> {
    let ids: std::collections::BTreeSet<&String> = live.keys().chain(recorded.keys()).collect();
    let mut words = Vec::new();
    for id in ids {
        match (live.get(id), recorded.get(id)) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => {
                let root = &one["root"];
                words.push(format!("{id} {} {} {}", root["verb"], root["resource"], root["name"]));
                for (key, value) in one.as_object().into_iter().flatten() {
                    if *value != other[key] {
                        words.push(format!("  {key}:\n    live     {value}\n    recorded {}", other[key]));
                    }
                }
            }
            (Some(one), None) => words.push(format!("{id} is not in the recording: {one}")),
            (None, other) => words.push(format!("{id} is in the recording only: {}", other.unwrap_or(&Value::Null))),
        }
    }
    (!words.is_empty()).then(|| words.join("\n"))
}
