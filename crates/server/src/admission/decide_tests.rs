//! The rules, one by one, and what holds for all of them.

use clew_model::TraceId;
use serde_json::json;

use super::super::patch;
use super::*;

const KEY: &str = "tracing.k8s.io/traceparent";
const MINE: &str = "00-11111111111111111111111111111111-2222222222222222-01";
const THEIRS: &str = "00-33333333333333333333333333333333-4444444444444444-01";

fn settings(templates: bool) -> Settings {
    Settings { cluster: "c".into(), codec: Codec::default(), templates }
}

fn context(text: &str) -> TraceContext {
    TraceContext::parse_traceparent(text).expect("a context")
}

fn owner_context() -> TraceContext {
    TraceContext::new(TraceId::from_bytes([9; 16]), SpanId::from_bytes([9; 8]), 1)
}

fn owner(reference: &Value) -> Option<TraceContext> {
    (reference["uid"] == "owner").then(owner_context)
}

fn deployment(replicas: u32, traceparent: Option<&str>) -> Value {
    let mut object = json!({"metadata": {"name": "web", "uid": "u", "resourceVersion": "7"}, "spec": {"replicas": replicas,
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {}}}});
    if let Some(value) = traceparent {
        object["metadata"]["annotations"] = json!({KEY: value, "other": "kept"});
    }
    object
}

fn asked<'a>(object: &'a Value, old: &'a Value) -> Asked<'a> {
    let operation = if old.is_null() { Operation::Create } else { Operation::Update };
    Asked { operation, group: "apps", resource: "deployments", subresource: "", review: "r", object, old, caller: None }
}

fn stamped(decision: Decision) -> Stamp {
    match decision {
        Decision::Stamp(stamp) => stamp,
        Decision::Leave(why) => panic!("left as it is: {why:?}"),
    }
}

#[test]
fn what_nobody_asked_to_trace_is_left_as_it_is() {
    let (one, two, null) = (deployment(1, None), deployment(2, None), Value::Null);
    let relabelled = json!({"metadata": {"name": "web", "labels": {"a": "b"}}, "spec": one["spec"]});
    let mut deleting = two.clone();
    deleting["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let mine = deployment(2, Some(MINE));
    let tekton = json!({"metadata": {"annotations": {"tekton.dev/taskrunSpanContext": format!("{{\"traceparent\":\"{MINE}\"}}")}}, "spec": {}});
    let cases = [
        ("a status", Asked { subresource: "status", ..asked(&two, &one) }, Why::Subresource),
        ("a scale", Asked { subresource: "scale", ..asked(&two, &one) }, Why::Subresource),
        ("a deletion", Asked { operation: Operation::Other, ..asked(&null, &one) }, Why::Unselected),
        ("an event", Asked { group: "", resource: "events", ..asked(&one, &null) }, Why::Unselected),
        ("no object", asked(&null, &null), Why::Unselected),
        ("labels alone", asked(&relabelled, &one), Why::NoChange),
        ("nothing at all", asked(&one, &one), Why::NoChange),
        ("one that goes", asked(&deleting, &one), Why::Deleting),
        ("a create with a context", asked(&mine, &null), Why::RequesterSet),
        ("an update with a new context", asked(&mine, &one), Why::RequesterSet),
        ("a context under another key", asked(&tekton, &null), Why::RequesterSet),
    ];
    for (name, asked, expected) in cases {
        assert_eq!(decide(&settings(true), &asked, owner), Decision::Leave(expected), "{name}");
    }
}

#[test]
fn the_callers_context_comes_first_then_the_owners_then_a_new_one() {
    let mut owned = deployment(1, None);
    owned["metadata"]["ownerReferences"] = json!([{"uid": "x"}, {"uid": "owner", "controller": true}]);
    let mut stranger = deployment(1, None);
    stranger["metadata"]["ownerReferences"] = json!([{"uid": "unknown", "controller": true}]);
    let plain = deployment(1, None);
    let (sampled, unsampled) = (context(THEIRS), context(&THEIRS.replace("-01", "-00")));
    let null = Value::Null;
    for (name, object, caller, expected) in [
        ("sampled", &owned, Some(&sampled), Origin::Caller),
        ("not sampled, owned", &owned, Some(&unsampled), Origin::Owner),
        ("owned", &owned, None, Origin::Owner),
        ("owned by a stranger", &stranger, None, Origin::New),
        ("not sampled", &plain, Some(&unsampled), Origin::New),
        ("nothing known", &plain, None, Origin::New),
    ] {
        let stamp = stamped(decide(&settings(false), &Asked { caller, ..asked(object, &null) }, owner));
        assert_eq!(stamp.origin, expected, "{name}");
        assert!(stamp.context.is_valid() && stamp.context.is_sampled(), "{name}");
        match expected {
            Origin::Caller => assert_eq!(stamp.context, sampled),
            Origin::Owner => assert_eq!(stamp.context, owner_context()),
            Origin::New => {}
        }
    }
}

#[test]
fn a_new_context_is_the_same_for_the_same_change_and_another_for_another() {
    let (one, two, null) = (deployment(1, None), deployment(2, None), Value::Null);
    let made = |asked: &Asked<'_>| stamped(decide(&settings(false), asked, owner)).context;
    let created = made(&asked(&one, &null));
    assert_eq!(created, made(&Asked { review: "another", ..asked(&one, &null) }));
    assert_ne!(created.trace_id, made(&asked(&two, &one)).trace_id);
    let nameless = json!({"metadata": {"generateName": "web-"}, "spec": {}});
    let first = made(&asked(&nameless, &null));
    assert_ne!(first, made(&Asked { review: "another", ..asked(&nameless, &null) }));
}

#[test]
fn an_old_context_is_replaced_when_something_else_is_asked_for() {
    let (old, new) = (deployment(1, Some(MINE)), deployment(2, Some(MINE)));
    let stamp = stamped(decide(&settings(false), &asked(&new, &old), owner));
    assert_ne!(stamp.context, context(MINE));
}

#[test]
fn being_asked_again_changes_nothing() {
    let (old, new, null) = (deployment(1, Some(MINE)), deployment(2, Some(MINE)), Value::Null);
    for (object, old) in [(&new, &old), (&deployment(1, None), &null)] {
        let stamp = stamped(decide(&settings(true), &asked(object, old), owner));
        let again = patch::applied(object, &patch::patch(KEY, object, &stamp));
        assert_eq!(decide(&settings(true), &asked(&again, old), owner), Decision::Leave(Why::RequesterSet));
    }
}

#[test]
fn templates_are_stamped_only_with_a_template_that_is_new_anyway() {
    let with_template =
        |object: &Value, old: &Value| stamped(decide(&settings(true), &asked(object, old), owner)).template;
    let (one, two, null) = (deployment(1, None), deployment(2, None), Value::Null);
    assert_eq!(stamped(decide(&settings(false), &asked(&one, &null), owner)).template, None, "not asked for");
    assert!(with_template(&one, &null).is_some(), "a new object");
    assert_eq!(with_template(&two, &one), None, "a scale must not restart pods");
    let mut rolled = two.clone();
    rolled["spec"]["template"]["spec"] = json!({"containers": []});
    assert_eq!(with_template(&rolled, &one).map(|(path, _)| path), Some("/spec/template"));
    let mut traced = one.clone();
    traced["spec"]["template"]["metadata"]["annotations"] = json!({KEY: MINE});
    assert_eq!(with_template(&traced, &null), None, "the requester's own stays");
    assert_eq!(with_template(&two, &traced).map(|(_, value)| value).as_deref(), Some(MINE), "left out: put back");
    let mut owned = one.clone();
    owned["metadata"]["ownerReferences"] = json!([{"uid": "owner", "controller": true}]);
    assert_eq!(with_template(&owned, &null), None, "a copy must stay like its original");
    let cron = json!({"metadata": {}, "spec": {"jobTemplate": {"spec": {"template": {"spec": {}}}}}});
    assert_eq!(with_template(&cron, &null).map(|(path, _)| path), Some("/spec/jobTemplate/spec/template"));
}
