//! Whether an update asks for something else than before.

use clew_model::annotation::Codec;
use serde_json::{Map, Value};

/// What is no part of what an object asks for.
const ASIDE: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// Whether two versions of an object differ in what they ask for: all but metadata and status.
pub(super) fn asks_for_more(old: &Value, new: &Value) -> bool {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return false };
    let is_same = |from: &Map<String, Value>, to: &Map<String, Value>| {
        from.iter().all(|(key, value)| ASIDE.contains(&key.as_str()) || to.get(key) == Some(value))
    };
    !is_same(old, new) || !is_same(new, old)
}

/// Whether two pod templates are the same but for their trace contexts.
pub(super) fn is_same_template(codec: &Codec, old: &Value, new: &Value) -> bool {
    without_context(codec, old) == without_context(codec, new)
}

fn without_context(codec: &Codec, template: &Value) -> Value {
    let mut bare = template.clone();
    let Some(metadata) = bare.get_mut("metadata").and_then(Value::as_object_mut) else { return bare };
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.retain(|key, _| !codec.is_context_key(key));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_and_status_ask_for_nothing() {
        let old = json!({"metadata": {"labels": {"a": "1"}}, "spec": {"replicas": 1}, "status": {"ready": 1}});
        let relabelled = json!({"metadata": {}, "spec": {"replicas": 1}});
        let scaled = json!({"metadata": {}, "spec": {"replicas": 2}});
        assert!(!asks_for_more(&old, &relabelled));
        assert!(asks_for_more(&old, &scaled));
        assert!(
            asks_for_more(&json!({"data": {"a": "1"}}), &json!({})) && asks_for_more(&json!({}), &json!({"data": {}}))
        );
    }

    #[test]
    fn a_template_is_the_same_whatever_its_context() {
        let codec = Codec::default();
        let bare = json!({"metadata": {"labels": {"a": "b"}}, "spec": {}});
        let stamped =
            json!({"metadata": {"labels": {"a": "b"}, "annotations": {"tracing.k8s.io/traceparent": "x"}}, "spec": {}});
        assert!(is_same_template(&codec, &bare, &stamped));
        assert!(!is_same_template(&codec, &bare, &json!({"spec": {"x": 1}})));
    }
}
