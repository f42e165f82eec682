//! The JSON patch that writes a context, and nothing else.

use serde_json::{Value, json};

use super::annotations;
use super::decide::Stamp;

/// The patch that stamps an object under this key.
///
/// `add` on `/metadata/annotations` would wipe those that are there, so that is done only where there are none.
pub fn patch(key: &str, object: &Value, stamp: &Stamp) -> Vec<Value> {
    let mut operations = Vec::with_capacity(2);
    operations.push(add(key, "", object, &stamp.context.traceparent()));
    if let Some((path, value)) = &stamp.template {
        let template = object.pointer(path).unwrap_or(&Value::Null);
        operations.push(add(key, path, template, value));
    }
    operations
}

/// Adds one annotation to an object, or to a template at a path.
fn add(key: &str, path: &str, holder: &Value, value: &str) -> Value {
    if annotations::of(holder).is_some() {
        return json!({"op": "add", "path": format!("{path}/metadata/annotations/{}", escaped(key)), "value": value});
    }
    if holder.get("metadata").is_some_and(Value::is_object) {
        return json!({"op": "add", "path": format!("{path}/metadata/annotations"), "value": {key: value}});
    }
    json!({"op": "add", "path": format!("{path}/metadata"), "value": {"annotations": {key: value}}})
}

/// A key as a JSON pointer holds it.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The object after a patch of ours: only `add`, to places whose parents are there.
#[cfg(test)]
pub(super) fn applied(object: &Value, patch: &[Value]) -> Value {
    let mut object = object.clone();
    for operation in patch {
        assert_eq!(operation["op"], "add");
        let place = operation["path"].as_str().expect("a path");
        let (parent, name) = place.rsplit_once('/').expect("a pointer");
        let parent = object.pointer_mut(parent).expect("the parent is there").as_object_mut().expect("an object");
        parent.insert(name.replace("~1", "/").replace("~0", "~"), operation["value"].clone());
    }
    object
}

#[cfg(test)]
mod tests {
    use clew_model::{SpanId, TraceContext, TraceId};

    use super::super::decide::Origin;
    use super::*;

    const KEY: &str = "tracing.k8s.io/traceparent";

    fn stamp(template: Option<(&'static str, String)>) -> Stamp {
        let context = TraceContext::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), 1);
        Stamp { context, origin: Origin::New, template }
    }

    #[test]
    fn other_annotations_are_kept() {
        let value = stamp(None).context.traceparent();
        for (object, path) in [
            (json!({"metadata": {"annotations": {"a": "b"}}}), "/metadata/annotations/tracing.k8s.io~1traceparent"),
            (json!({"metadata": {"annotations": {}}}), "/metadata/annotations/tracing.k8s.io~1traceparent"),
            (json!({"metadata": {"annotations": null}}), "/metadata/annotations"),
            (json!({"metadata": {"name": "x"}}), "/metadata/annotations"),
            (json!({}), "/metadata"),
        ] {
            let patch = patch(KEY, &object, &stamp(None));
            assert_eq!((patch.len(), patch[0]["path"].as_str()), (1, Some(path)), "{object}");
            let after = applied(&object, &patch);
            assert_eq!(after["metadata"]["annotations"][KEY], value.as_str());
            assert_eq!(after["metadata"].get("name"), object["metadata"].get("name"));
            assert_eq!(after["metadata"]["annotations"].get("a"), object.pointer("/metadata/annotations/a"));
        }
    }

    #[test]
    fn a_template_gets_its_own() {
        let object = json!({"metadata": {}, "spec": {"template": {"spec": {}}}});
        let patch = patch(KEY, &object, &stamp(Some(("/spec/template", "x".to_owned()))));
        let after = applied(&object, &patch);
        assert_eq!(after["spec"]["template"]["metadata"]["annotations"][KEY], "x");
    }
}
