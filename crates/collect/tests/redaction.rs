//! Nothing secret is kept: what the redactor does to recorded lines and to the shapes that Secrets come in.

use std::ops::ControlFlow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use clew_collect::capture::{BadLines, Capture, ReadOptions, Source};
use clew_collect::redact::{REDACTED_PREFIX, Redactor};
use serde_json::{Value, json};

const PASSWORD: &str = "hunter2-do-not-store";

fn redactor() -> Redactor {
    Redactor::new([42; 32])
}

/// The password as it may stand in a text: plain, and in base64 at each of the three places it can start in a group.
fn forms() -> Vec<String> {
    let mut forms = vec![PASSWORD.to_owned()];
    for before in 0..3 {
        let padded = [vec![b'x'; before], PASSWORD.as_bytes().to_vec()].concat();
        let encoded = STANDARD_NO_PAD.encode(padded);
        // The first and the last group also hold bits of the neighbours.
        let from = if before == 0 { 0 } else { before + 1 };
        forms.push(encoded[from..encoded.len() - 4].to_owned());
    }
    forms
}

fn leaks(text: &str) -> bool {
    forms().iter().any(|form| text.contains(form.as_str()))
}

fn audit(reference: &Value, request: &Value, response: &Value) -> Value {
    let event = json!({"kind": "Event", "apiVersion": "audit.k8s.io/v1", "verb": "patch", "objectRef": reference,
        "requestObject": request, "responseObject": response});
    let redacted = redactor().audit_event(&event.to_string()).expect("an event");
    assert!(!leaks(&redacted), "{redacted}");
    serde_json::from_str(&redacted).expect("still JSON")
}

fn encoded() -> String {
    STANDARD.encode(PASSWORD)
}

#[test]
fn the_recorded_password_survives_nowhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures/broken");
    let (mut before, mut changed, mut kept) = (0, 0, 0);
    let capture = Capture::open(folder).expect("a capture");
    capture.read(&ReadOptions::default(), &mut BadLines::default(), &mut |line, _| {
        let text = std::str::from_utf8(line.bytes).expect("UTF-8");
        before += usize::from(leaks(text));
        if line.source == Source::Audit {
            let redacted = redactor().audit_event(text).expect("an event");
            assert!(!leaks(&redacted), "line {}", line.number);
            if redacted == text { kept += 1 } else { changed += 1 }
        }
        ControlFlow::Continue(())
    });
    assert_eq!(before, 1, "the recording holds the password");
    assert!(changed >= 1 && kept > 400, "{changed} lines changed, {kept} are as they were");
}

#[test]
fn values_are_hashed_and_everything_else_stays_byte_for_byte() {
    let text = format!(r#"{{ "kind":"Secret", "data":{{"p":"{}"}},"n": 1.50 }}"#, encoded());
    let hash = redactor().hash(PASSWORD.as_bytes());
    let other = redactor().hash(b"1.50");
    let redacted = redactor().object("secrets", &text).expect("an object");
    assert_eq!(redacted, format!(r#"{{ "kind":"Secret", "data":{{"p":"{hash}"}},"n": "{other}" }}"#));
}

#[test]
fn a_value_has_one_hash_in_data_and_in_string_data() {
    let secret = json!({"kind": "Secret", "data": {"a": encoded()}, "stringData": {"a": PASSWORD}});
    let redacted: Value =
        serde_json::from_str(&redactor().object("secrets", &secret.to_string()).expect("an object")).expect("JSON");
    assert_eq!(redacted["data"]["a"], redacted["stringData"]["a"]);
}

#[test]
fn a_listed_secret_needs_no_kind() {
    let secret = json!({"metadata": {"name": "api"}, "data": {"password": encoded()}});
    let redacted = redactor().object("secrets", &secret.to_string()).expect("an object");
    assert!(!leaks(&redacted) && redacted.contains("\"password\":\"redacted:"), "{redacted}");
}

#[test]
fn lists_tables_and_copies_in_annotations_are_redacted() {
    let secret = json!({"metadata": {"name": "api", "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": format!("{{\"stringData\":{{\"p\":\"{PASSWORD}\"}}}}"),
            "note": "kept"}},
        "data": {"p": encoded()}});
    let reference = json!({"resource": "secrets"});
    let list = json!({"kind": "SecretList", "apiVersion": "v1", "items": [secret]});
    let table = json!({"kind": "Table", "rows": [{"cells": ["api", "Opaque"], "object": secret}]});
    let event = audit(&reference, &Value::Null, &list);
    assert_eq!(event["responseObject"]["items"][0]["metadata"]["annotations"]["note"], "kept");
    let event = audit(&reference, &Value::Null, &table);
    assert_eq!(event["responseObject"]["rows"][0]["object"]["metadata"]["name"], "api");
    let mixed = json!({"kind": "List", "items": [{"kind": "Secret", "stringData": {"p": PASSWORD}}]});
    audit(&json!({"resource": "things"}), &mixed, &Value::Null);
}

#[test]
fn patches_of_a_secret_are_redacted() {
    let reference = json!({"resource": "secrets", "name": "api"});
    for patch in [
        json!({"stringData": {"p": PASSWORD}, "data": {"gone": null}}),
        json!({"unknown": {"nested": [PASSWORD]}}),
        json!([{"op": "replace", "path": "/data/p", "value": encoded()}]),
        json!([{"op": "test", "path": "/stringData", "value": {"p": PASSWORD}}]),
        json!([{"op": "add", "path": "", "value": {"data": {"p": encoded()}}}]),
        json!([{"op": "add", "path": "/metadata/annotations/a~1last-applied", "value": PASSWORD}]),
        json!(PASSWORD),
    ] {
        audit(&reference, &patch, &json!({"kind": "Secret", "data": {"p": encoded()}}));
    }
    let event = audit(&reference, &json!({"data": {"gone": null}}), &Value::Null);
    assert_eq!(event["requestObject"]["data"]["gone"], Value::Null, "a removal still shows");
}

#[test]
fn a_refusal_that_quotes_a_secret_is_redacted_and_others_are_kept() {
    let reference = json!({"resource": "secrets", "name": "api"});
    let invalid = json!({"kind": "Status", "reason": "Invalid", "message": format!("bad value {PASSWORD}"),
        "details": {"name": "api", "causes": [{"message": PASSWORD}]}});
    let event = audit(&reference, &Value::Null, &invalid);
    assert_eq!(event["responseObject"]["details"]["name"], "api");
    let exists = json!({"kind": "Status", "reason": "AlreadyExists", "message": "secrets \"api\" already exists"});
    let event = audit(&reference, &Value::Null, &exists);
    assert_eq!(event["responseObject"], exists);
}

#[test]
fn tokens_are_redacted() {
    let reference = json!({"resource": "serviceaccounts", "subresource": "token"});
    let request = json!({"kind": "TokenRequest", "status": {"token": PASSWORD, "expirationTimestamp": "t"}});
    let review = json!({"kind": "TokenReview", "spec": {"token": PASSWORD}});
    let event = audit(&reference, &request, &review);
    assert_eq!(event["requestObject"]["status"]["expirationTimestamp"], "t");
}

#[test]
fn a_marked_object_shows_its_metadata_only() {
    for place in ["labels", "annotations"] {
        let object = json!({"kind": "ConfigMap", "metadata": {"name": "c", place:
            {"kelemetry.kubewharf.io/diff-redacted": "true"}}, "data": {"p": PASSWORD}});
        let patch = json!({"data": {"p": PASSWORD}});
        let event = audit(&json!({"resource": "configmaps"}), &patch, &object);
        assert_eq!(event["responseObject"]["metadata"]["name"], "c");
        let data = event["responseObject"]["data"].as_str().expect("one hash");
        assert!(data.starts_with(REDACTED_PREFIX), "{data}");
    }
    let plain = json!({"kind": "ConfigMap", "metadata": {"name": "c", "labels":
        {"kelemetry.kubewharf.io/diff-redacted": "false"}}, "data": {"p": "shown"}});
    let text = plain.to_string();
    assert_eq!(redactor().object("configmaps", &text).expect("an object"), text);
}

#[test]
fn names_written_with_escapes_are_found() {
    let text = format!(r#"{{"kind":"\u0053ecret","d\u0061ta":{{"p":"{}"}}}}"#, encoded());
    let redacted = redactor().object("things", &text).expect("an object");
    assert!(!leaks(&redacted), "{redacted}");
}

#[test]
fn what_cannot_be_read_is_refused_and_not_quoted() {
    let twice = format!("{{\"requestObject\":\"{PASSWORD}\",\"requestObject\":{{}}}}");
    for text in [twice, format!("{{\"a\":{PASSWORD}"), format!("\"{PASSWORD}\""), format!("[\"{PASSWORD}\"]")] {
        let error = redactor().audit_event(&text).expect_err("no object");
        assert!(!leaks(&error.to_string()) && !leaks(&format!("{error:?}")), "{error}");
    }
}

#[test]
fn a_deeply_nested_line_does_not_overflow() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let text = format!("{{\"kind\":\"Secret\",\"data\":{{\"p\":{deep}}}}}");
    let redacted = redactor().object("secrets", &text).expect("an object");
    assert!(redacted.len() < 200, "{redacted}");
    let lists = format!("{}{{}}{}", r#"{"kind":"List","items":["#.repeat(50_000), "]}".repeat(50_000));
    let redacted = redactor().object("things", &lists).expect("an object");
    assert!(redacted.len() < 300, "{} bytes", redacted.len());
    let patches = format!("{}{{}}{}", r#"[{"path":"","value":"#.repeat(50_000), "}]".repeat(50_000));
    let event = format!(r#"{{"objectRef":{{"resource":"secrets"}},"requestObject":{patches}}}"#);
    assert!(redactor().audit_event(&event).expect("an event").len() < 300);
}

#[test]
fn a_patch_cannot_hide_a_value_from_the_redactor() {
    let reference = json!({"resource": "secrets", "name": "api"});
    for patch in [
        json!({"kind": "Status", "reason": "NotFound", "message": PASSWORD}),
        json!({"kind": "Table", "data": {"p": PASSWORD}, "rows": [PASSWORD]}),
        json!({"kind": "SecretList", "items": [], "data": {"p": PASSWORD}}),
        json!({"kind": "TokenRequest", "data": {"p": PASSWORD}}),
        json!({"metadata": PASSWORD}),
        json!({"metadata": {"annotations": PASSWORD}}),
        json!({"metadata": {"unknown": [PASSWORD]}}),
        json!([PASSWORD]),
        json!([{"op": "add", "path": 7, "value": PASSWORD}]),
        json!([{"op": "add", "path": "/metadata/labels/a", "valu": PASSWORD}]),
    ] {
        audit(&reference, &patch, &Value::Null);
    }
    let twice = format!(r#"{{"type":"a","type":"b","items":[],"data":{{}},"data":{{"p":"{PASSWORD}"}}}}"#);
    for object in [
        twice,
        format!(r#"[{{"path":"/metadata/labels/a","path":"/data/p","value":"{PASSWORD}"}}]"#),
        format!(r#"{{"metadata":{{"annotations":{{}},"annotations":{{"a/last-applied":"{PASSWORD}"}}}}}}"#),
    ] {
        let event = format!(r#"{{"objectRef":{{"resource":"secrets"}},"requestObject":{object}}}"#);
        let redacted = redactor().audit_event(&event).expect("an event");
        assert!(!leaks(&redacted), "{redacted}");
        serde_json::from_str::<serde::de::IgnoredAny>(&redacted).expect("still JSON");
    }
}

#[test]
fn a_marked_object_stays_marked_for_patches_that_do_not_show_it() {
    let redactor = redactor().remembering(std::sync::Arc::default());
    let patch = json!({"objectRef": {"resource": "configmaps", "namespace": "n", "name": "c"},
        "requestObject": {"data": {"p": PASSWORD}}, "responseObject": {"kind": "Status", "code": 409}});
    let patch = patch.to_string();
    assert_eq!(redactor.audit_event(&patch).expect("an event"), patch, "nobody has seen the mark yet");
    let watched = json!({"kind": "ConfigMap", "metadata": {"name": "c", "namespace": "n",
        "labels": {"kelemetry.kubewharf.io/diff-redacted": ""}}});
    redactor.object("configmaps", &watched.to_string()).expect("an object");
    assert!(!leaks(&redactor.clone().audit_event(&patch).expect("an event")));
    let other = patch.replace("\"n\"", "\"m\"");
    assert_eq!(redactor.audit_event(&other).expect("an event"), other, "another namespace");
}
