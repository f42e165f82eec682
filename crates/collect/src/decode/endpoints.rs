//! The pods behind an EndpointSlice or Endpoints object, so that a change tells which pod caused it.

use std::borrow::Cow;

use clew_weave::fact::Kind;
use clew_weave::mention;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::raw::RawObject;

/// How many pods of one object are told apart; an EndpointSlice has 100, Endpoints at most 1,000.
const MAX_ENDPOINTS: usize = 1_000;

/// Whether the kind holds endpoints.
pub(super) fn holds(kind: &Kind) -> bool {
    matches!(kind.resource.as_str(), "endpointslices" | "endpoints")
}

/// A hash of each pod's UID and its conditions.
pub(super) fn behind(kind: &Kind, raw: &RawObject<'_>) -> Vec<(u64, u8)> {
    match kind.resource.as_str() {
        "endpointslices" => slice(&field::<Vec<Endpoint>>(raw, "endpoints")),
        "endpoints" => subsets(&field::<Vec<Subset>>(raw, "subsets")),
        _ => Vec::new(),
    }
}

fn field<T: DeserializeOwned + Default>(raw: &RawObject<'_>, name: &str) -> T {
    let value = raw.field(name).and_then(|value| serde_json::from_str::<Option<T>>(value.get()).ok());
    value.flatten().unwrap_or_default()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    #[serde(default)]
    conditions: Conditions,
    target_ref: Option<TargetRef>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Conditions {
    ready: Option<bool>,
    serving: Option<bool>,
    terminating: Option<bool>,
}

#[derive(Deserialize)]
struct TargetRef {
    uid: Option<Cow<'static, str>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Subset {
    addresses: Option<Vec<Address>>,
    not_ready_addresses: Option<Vec<Address>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Address {
    target_ref: Option<TargetRef>,
}

fn slice(endpoints: &[Endpoint]) -> Vec<(u64, u8)> {
    let states = endpoints.iter().map(|endpoint| {
        let flags = [endpoint.conditions.ready, endpoint.conditions.serving, endpoint.conditions.terminating];
        let bits = flags.iter().fold(0, |bits, flag| bits << 1 | u8::from(*flag == Some(true)));
        (endpoint.target_ref.as_ref(), bits)
    });
    collect(states)
}

fn subsets(subsets: &[Subset]) -> Vec<(u64, u8)> {
    let states = subsets.iter().flat_map(|subset| {
        let ready = subset.addresses.iter().flatten().map(|address| (address.target_ref.as_ref(), 1));
        let waiting = subset.not_ready_addresses.iter().flatten().map(|address| (address.target_ref.as_ref(), 0));
        ready.chain(waiting)
    });
    collect(states)
}

fn collect<'a>(states: impl Iterator<Item = (Option<&'a TargetRef>, u8)>) -> Vec<(u64, u8)> {
    let pods = states.filter_map(|(target, bits)| Some((mention(target?.uid.as_deref()?), bits)));
    let mut pods: Vec<(u64, u8)> = pods.take(MAX_ENDPOINTS).collect();
    pods.sort_unstable();
    pods.dedup();
    pods
}
