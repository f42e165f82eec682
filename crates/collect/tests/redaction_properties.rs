//! What must always hold of redaction, whatever a client sends.

use clew_collect::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Map, Value};

const PASSWORD: &str = "hunter2-do-not-store";

/// Names that mean something to the redactor, and some that mean nothing. Those under which a plain text may
/// rightly stay (`name`, `kind`, `path`, …) are left out, or get other values below.
const NAMES: [&str; 16] = [
    "data",
    "stringData",
    "items",
    "rows",
    "object",
    "value",
    "metadata",
    "status",
    "message",
    "details",
    "causes",
    "spec",
    "token",
    "unknown",
    "Data",
    "",
];
const KINDS: [&str; 8] =
    ["Secret", "SecretList", "List", "Status", "Table", "TokenRequest", "DeleteOptions", "ConfigMap"];
const PATHS: [&str; 6] = ["", "/data", "/data/p", "/metadata", "/stringData", "/unknown"];

/// Any JSON with the password at its leaves.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::from(PASSWORD)), Just(Value::Null), any::<i32>().prop_map(Value::from)];
    leaf.prop_recursive(6, 60, 5, |inner| {
        let members = prop::collection::vec((prop::sample::select(&NAMES[..]), inner.clone()), 0..5);
        let kind = prop::option::of(prop::sample::select(&KINDS[..]));
        let path = prop::option::of(prop::sample::select(&PATHS[..]));
        let object = (members, kind, path).prop_map(|(members, kind, path)| {
            let mut object: Map<String, Value> =
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            object.extend(kind.map(|kind| ("kind".to_owned(), Value::from(kind))));
            object.extend(path.map(|path| ("path".to_owned(), Value::from(path))));
            Value::Object(object)
        });
        prop_oneof![object, prop::collection::vec(inner, 0..4).prop_map(Value::Array)]
    })
}

proptest! {
    #[test]
    fn nothing_sent_to_a_secret_is_kept(body in json()) {
        let event = serde_json::json!({"objectRef": {"resource": "secrets"}, "requestObject": body});
        let redacted = Redactor::new([1; 32]).audit_event(&event.to_string()).expect("an event");
        let kept: Value = serde_json::from_str(&redacted).expect("still JSON");
        prop_assert!(!kept["requestObject"].to_string().contains(PASSWORD), "{}", redacted);
    }

    #[test]
    fn what_needs_no_redaction_keeps_its_bytes(text in "[ -~]{0,40}") {
        let event = serde_json::json!({"objectRef": {"resource": "configmaps"}, "requestObject": {"data": {"k": text}}});
        let event = format!(" {}", event.to_string().replace(':', " : "));
        let redactor = Redactor::new([1; 32]);
        if serde_json::from_str::<Value>(&event).is_ok() {
            prop_assert_eq!(redactor.audit_event(&event).expect("an event"), event);
        }
    }

    #[test]
    fn no_text_makes_the_redactor_panic(text in "\\PC{0,80}") {
        let redactor = Redactor::new([1; 32]);
        let _ = redactor.audit_event(&text);
        let _ = redactor.object("secrets", &text);
    }
}
