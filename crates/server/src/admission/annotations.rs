//! The annotations of an object, wherever they stand in it.

use clew_model::TraceContext;
use clew_model::annotation::Codec;
use serde_json::{Map, Value};

/// Where pod templates stand, by what they stand in: a CronJob's is deeper.
pub(super) const TEMPLATES: [&str; 2] = ["/spec/template", "/spec/jobTemplate/spec/template"];

/// The annotations of an object or a pod template; none if it has none, or null.
pub(super) fn of(object: &Value) -> Option<&Map<String, Value>> {
    object.get("metadata")?.get("annotations")?.as_object()
}

/// The trace context that an object carries, under any key that clew knows.
pub(super) fn context(codec: &Codec, object: &Value) -> Option<TraceContext> {
    let annotations = of(object)?;
    let get = |key: &str| annotations.get(key).and_then(Value::as_str);
    codec.read(get).ok().flatten().map(|found| found.context)
}

/// A pod template that an object holds, with its path.
pub(super) fn template(object: &Value) -> Option<(&'static str, &Value)> {
    TEMPLATES.iter().find_map(|path| Some((*path, object.pointer(path).filter(|it| it.is_object())?)))
}
