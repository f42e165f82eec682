//! Kubernetes events, of either API group, into facts.

use std::borrow::Cow;

use clew_model::Time;
use clew_weave::fact::{KubeEvent, Uid};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::raw::RawObject;

/// The longest message that is kept.
const MAX_MESSAGE: usize = 1024;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Regarding {
    kind: Cow<'static, str>,
    uid: Cow<'static, str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Source {
    component: Cow<'static, str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Series {
    count: u64,
}

/// Reads an event; none if it is about nothing that has a UID.
pub(super) fn fact(raw: &RawObject<'_>, time: Time) -> Option<KubeEvent> {
    let about: Regarding = field(raw, &["involvedObject", "regarding"]);
    if about.uid.is_empty() || raw.metadata.uid.is_empty() {
        return None;
    }
    let series: Series = field(raw, &["series"]);
    let count: u64 = field(raw, &["count", "deprecatedCount"]);
    let source: Source = field(raw, &["source", "deprecatedSource"]);
    let reporter: String = field(raw, &["reportingComponent", "reportingController"]);
    let message: String = field(raw, &["message", "note"]);
    Some(KubeEvent {
        uid: Uid::new(&raw.metadata.uid),
        count: series.count.max(count).max(1),
        time,
        about: Uid::new(&about.uid),
        kind: about.kind.as_ref().into(),
        reason: field::<String>(raw, &["reason"]).into(),
        message: truncated(&message).into(),
        warning: field::<String>(raw, &["type"]) == "Warning",
        source: if reporter.is_empty() { source.component.as_ref().into() } else { reporter.into() },
    })
}

/// The first of the names that the event has; the two API groups name the same things differently.
fn field<T: DeserializeOwned + Default>(raw: &RawObject<'_>, names: &[&str]) -> T {
    let value = names.iter().find_map(|name| raw.field(name));
    value.and_then(|value| serde_json::from_str::<Option<T>>(value.get()).ok().flatten()).unwrap_or_default()
}

fn truncated(message: &str) -> &str {
    let end = message.char_indices().map(|(at, _)| at).find(|at| *at >= MAX_MESSAGE);
    &message[..end.unwrap_or(message.len())]
}
