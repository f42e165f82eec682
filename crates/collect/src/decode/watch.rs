//! Lines of the watch into facts.

use std::borrow::Cow;

use clew_model::Time;
use clew_weave::fact::{Fact, Observation, Observed};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::{self, Wanted};
use super::raw::RawObject;
use super::{event, path};
use crate::redact::Redactor;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WatchLine<'a> {
    #[serde(borrow)]
    observed_unix_nano: Nanos<'a>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    object: &'a RawValue,
}

/// Nanoseconds, as protobuf's JSON has them or bare.
#[derive(Deserialize)]
#[serde(untagged)]
enum Nanos<'a> {
    Number(i64),
    Text(#[serde(borrow)] Cow<'a, str>),
}

/// Decodes one line; bookmarks and leases give nothing.
pub(super) fn line(bytes: &[u8], redactor: &Redactor, facts: &mut Vec<Fact>) -> Result<(), serde_json::Error> {
    let watched: WatchLine<'_> = serde_json::from_slice(bytes)?;
    let observed = match watched.kind.as_ref() {
        "LISTED" => Observed::Listed,
        "ADDED" => Observed::Added,
        "MODIFIED" => Observed::Modified,
        "DELETED" => Observed::Deleted,
        _ => return Ok(()),
    };
    let Some(kind) = path::kind(&watched.path) else {
        return Ok(());
    };
    if path::is_lease(&kind) {
        return Ok(());
    }
    let nanos = match watched.observed_unix_nano {
        Nanos::Number(nanos) => nanos,
        Nanos::Text(text) => text.parse().map_err(serde::de::Error::custom)?,
    };
    let time = Time::from_nanos(nanos);
    let raw: RawObject<'_> = serde_json::from_str(watched.object.get())?;
    if path::is_event(&kind) {
        let reported = (observed != Observed::Deleted).then(|| event::fact(&raw, time)).flatten();
        let fresh = reported.filter(|_| observed != Observed::Listed);
        facts.extend(fresh.map(|event| Fact::Event(Box::new(event))));
        return Ok(());
    }
    let state = object::state(&raw, Wanted { kind: &kind, managers: true }, redactor);
    if !state.uid.is_empty() {
        facts.push(Fact::Observation(Box::new(Observation { time, observed, state })));
    }
    Ok(())
}
