//! `audit.k8s.io` events into facts.

use std::borrow::Cow;

use clew_model::Time;
use clew_weave::fact::{Actor, Effect, Fact, Kind, Latency, ObjectState, Target, Uid, Verb, Write};
use compact_str::CompactString;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::audit_head::{is_last_stage, may_be_write};
use super::object::{self, Wanted};
use super::raw::RawObject;
use super::{event, path};
use crate::redact::Redactor;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuditEvent<'a> {
    #[serde(borrow, rename = "auditID")]
    audit_id: Cow<'a, str>,
    #[serde(borrow)]
    stage: Cow<'a, str>,
    #[serde(borrow)]
    verb: Cow<'a, str>,
    #[serde(default, borrow)]
    user: User<'a>,
    #[serde(borrow)]
    impersonated_user: Option<User<'a>>,
    #[serde(default, borrow, rename = "requestURI")]
    request_uri: Cow<'a, str>,
    #[serde(default, borrow, rename = "sourceIPs")]
    source_ips: Vec<Cow<'a, str>>,
    #[serde(default, borrow)]
    user_agent: Cow<'a, str>,
    #[serde(borrow)]
    object_ref: Option<ObjectRef<'a>>,
    #[serde(borrow)]
    response_status: Option<ResponseStatus<'a>>,
    #[serde(borrow)]
    request_object: Option<&'a RawValue>,
    #[serde(borrow)]
    response_object: Option<&'a RawValue>,
    request_received_timestamp: Time,
    stage_timestamp: Time,
    #[serde(borrow)]
    annotations: Option<super::raw::Pairs<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct User<'a> {
    #[serde(borrow)]
    username: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ObjectRef<'a> {
    #[serde(borrow)]
    resource: Cow<'a, str>,
    #[serde(borrow)]
    namespace: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    uid: Cow<'a, str>,
    #[serde(borrow)]
    api_group: Cow<'a, str>,
    #[serde(borrow)]
    api_version: Cow<'a, str>,
    #[serde(borrow)]
    subresource: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResponseStatus<'a> {
    code: u16,
    #[serde(borrow)]
    reason: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

/// Decodes one event; what only read, and stages before the last, give nothing.
pub(super) fn line(bytes: &[u8], redactor: &Redactor, facts: &mut Vec<Fact>) -> Result<(), serde_json::Error> {
    if !may_be_write(bytes) {
        return Ok(());
    }
    let audit: AuditEvent<'_> = serde_json::from_slice(bytes)?;
    let Some(verb) = Verb::parse(&audit.verb) else {
        return Ok(());
    };
    if !is_last_stage(&audit.stage) {
        return Ok(());
    }
    let Some(object_ref) = &audit.object_ref else {
        return Ok(());
    };
    // What is only tried changes nothing, and its answer has a UID and a version that no object ever has.
    if path::is_dry_run(&audit.request_uri) {
        return Ok(());
    }
    let kind = Kind {
        group: object_ref.api_group.as_ref().into(),
        version: object_ref.api_version.as_ref().into(),
        resource: object_ref.resource.as_ref().into(),
        kind: CompactString::default(),
    };
    let response: Option<RawObject<'_>> = audit.response_object.and_then(body);
    if path::is_event(&kind) {
        let reported = response.as_ref().and_then(|raw| event::fact(raw, audit.request_received_timestamp));
        facts.extend(reported.map(|event| Fact::Event(Box::new(event))));
    }
    let target = target(&audit, object_ref, kind, response.as_ref());
    let effect = effect(&audit, verb, &target, response.as_ref(), redactor);
    let made = audit.response_status.as_ref().is_some_and(|status| status.code == 201);
    let creates = target.subresource.is_empty() && (verb == Verb::Create || made);
    facts.push(Fact::Write(Box::new(Write {
        audit: Uid::new(&audit.audit_id),
        received: audit.request_received_timestamp,
        done: audit.stage_timestamp,
        verb,
        actor: actor(&audit),
        target,
        effect,
        creates,
        context: None,
        latencies: latencies(&audit),
    })));
    Ok(())
}

/// A body that is an object; any other JSON counts as none.
fn body(raw: &RawValue) -> Option<RawObject<'_>> {
    serde_json::from_str(raw.get()).ok()
}

fn actor(audit: &AuditEvent<'_>) -> Actor {
    let user = audit.impersonated_user.as_ref().unwrap_or(&audit.user);
    Actor {
        user: user.username.as_ref().into(),
        agent: audit.user_agent.as_ref().into(),
        address: audit.source_ips.first().map(|address| address.as_ref().into()).unwrap_or_default(),
    }
}

fn target(audit: &AuditEvent<'_>, object_ref: &ObjectRef<'_>, kind: Kind, response: Option<&RawObject<'_>>) -> Target {
    let mut target = Target {
        kind,
        subresource: object_ref.subresource.as_ref().into(),
        namespace: object_ref.namespace.as_ref().into(),
        name: object_ref.name.as_ref().into(),
        uid: (!object_ref.uid.is_empty()).then(|| Uid::new(&object_ref.uid)),
        ..Target::default()
    };
    if target.kind.resource == "namespaces" {
        target.namespace = CompactString::default();
    }
    let answered = response.and_then(|raw| Some(&raw.details.as_ref()?.uid)).filter(|uid| !uid.is_empty());
    let answered = answered.or_else(|| response.map(|raw| &raw.metadata.uid)).filter(|uid| !uid.is_empty());
    if let Some(uid) = answered {
        target.uid = Some(Uid::new(uid));
    }
    if let Some(name) = response.map(|raw| &raw.metadata.name).filter(|name| !name.is_empty()) {
        target.name = name.as_ref().into();
    }
    let refused = audit.response_status.as_ref().is_some_and(|status| status.code >= 300);
    if (refused || target.subresource == "token")
        && let Some(request) = audit.request_object.and_then(body)
    {
        requested(&request, &mut target);
    }
    target
}

/// What only the request tells: the owners of what was refused, the pod that a token is for.
fn requested(request: &RawObject<'_>, target: &mut Target) {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct TokenSpec<'a> {
        #[serde(borrow)]
        bound_object_ref: Option<Bound<'a>>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Bound<'a> {
        #[serde(borrow)]
        uid: Cow<'a, str>,
    }
    target.owners = object::owners(&request.metadata);
    if target.name.is_empty() {
        target.name = request.metadata.name.as_ref().into();
    }
    if target.subresource != "token" {
        return;
    }
    let spec = request.field("spec").and_then(|spec| serde_json::from_str::<TokenSpec<'_>>(spec.get()).ok());
    let bound = spec.and_then(|spec| spec.bound_object_ref).map(|bound| bound.uid);
    target.bound = bound.filter(|uid| !uid.is_empty()).map(|uid| Uid::new(&uid));
}

fn effect(
    audit: &AuditEvent<'_>,
    verb: Verb,
    target: &Target,
    response: Option<&RawObject<'_>>,
    redactor: &Redactor,
) -> Effect {
    if let Some(status) = audit.response_status.as_ref().filter(|status| status.code >= 300) {
        return Effect::Refused {
            code: status.code,
            reason: status.reason.as_ref().into(),
            message: status.message.as_ref().into(),
        };
    }
    let deletes = verb == Verb::Delete || (target.kind.resource == "pods" && target.subresource == "eviction");
    let Some(raw) = response else {
        return if deletes { Effect::Deleted(vec![named(target)]) } else { Effect::Done };
    };
    let wanted = Wanted { kind: &target.kind, managers: false };
    match (raw.kind.as_ref(), target.subresource.as_str()) {
        _ if verb == Verb::DeleteCollection => Effect::Deleted(items(raw, wanted, redactor)),
        ("Status", _) if deletes => Effect::Deleted(vec![named(target)]),
        ("Status" | "TokenRequest" | "Binding", _) => Effect::Done,
        ("Scale", "scale") => scaled(raw),
        _ if verb == Verb::Delete && is_gone(raw) => Effect::Deleted(vec![object::state(raw, wanted, redactor)]),
        _ if raw.metadata.uid.is_empty() => Effect::Done,
        _ => Effect::Object(Box::new(object::state(raw, wanted, redactor))),
    }
}

/// Whether a deletion left nothing to wait for.
fn is_gone(raw: &RawObject<'_>) -> bool {
    let held = raw.metadata.finalizers.as_ref().is_some_and(|finalizers| !finalizers.is_empty());
    let graceful = raw.metadata.deletion_grace_period_seconds.is_some_and(|seconds| seconds > 0);
    let namespace = raw.kind == "Namespace";
    !held && !graceful && !namespace
}

/// All that is known of an object which the answer does not show.
fn named(target: &Target) -> ObjectState {
    ObjectState {
        kind: target.kind.clone(),
        namespace: target.namespace.clone(),
        name: target.name.clone(),
        uid: target.uid.clone().unwrap_or_default(),
        ..ObjectState::default()
    }
}

fn items(raw: &RawObject<'_>, wanted: Wanted<'_>, redactor: &Redactor) -> Vec<ObjectState> {
    let items = raw.items.and_then(|items| serde_json::from_str::<Vec<RawObject<'_>>>(items.get()).ok());
    items.unwrap_or_default().iter().map(|item| object::state(item, wanted, redactor)).collect()
}

fn scaled(raw: &RawObject<'_>) -> Effect {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Spec {
        replicas: i64,
    }
    let spec: Option<Spec> = raw.field("spec").and_then(|spec| serde_json::from_str(spec.get()).ok());
    Effect::Scaled {
        uid: Uid::new(&raw.metadata.uid),
        version: raw.metadata.resource_version.parse().unwrap_or(0),
        replicas: spec.unwrap_or_default().replicas,
    }
}

fn latencies(audit: &AuditEvent<'_>) -> Vec<Latency> {
    let annotations = audit.annotations.iter().flat_map(|pairs| &pairs.0);
    annotations
        .filter_map(|(key, value)| {
            let part = key.strip_prefix("apiserver.latency.k8s.io/")?;
            Some(Latency { part: part.into(), nanos: go_duration(value)? })
        })
        .collect()
}

/// Reads a duration as Go prints it: `1.5s`, `512.3ms`, `1m2.5s`.
fn go_duration(text: &str) -> Option<i64> {
    let mut nanos = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "h" => 3_600e9,
            "m" => 60e9,
            "s" => 1e9,
            "ms" => 1e6,
            "µs" | "us" => 1e3,
            "ns" => 1.0,
            _ => return None,
        };
        nanos += number * unit;
        rest = &rest[letters..];
    }
    #[expect(clippy::cast_possible_truncation, reason = "a request lasts hours at most, far below the limit")]
    Some(nanos as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_prints_them() {
        assert_eq!(go_duration("1.5s"), Some(1_500_000_000));
        assert_eq!(go_duration("1m2.5s"), Some(62_500_000_000));
        assert_eq!(go_duration("512.25ms"), Some(512_250_000));
        assert_eq!(go_duration("3µs"), Some(3_000));
        assert_eq!(go_duration("fast"), None);
        assert_eq!(go_duration("5"), None);
    }
}
