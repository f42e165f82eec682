//! What an object's metadata tells about redaction, and what of it is redacted.

use serde_json::value::RawValue;

use super::json::{Edits, Members, is_object, text};
use super::{Redactor, secret};

/// Kelemetry's mark, as a label or an annotation: nothing of the object but its metadata may be kept.
const MARK: &str = "kelemetry.kubewharf.io/diff-redacted";
/// Annotations that hold a copy of the whole object, by what their names have in common.
const COPIES: [&str; 2] = ["applied", "original"];
/// A longer annotation of a Secret is more likely a copy of it than a note about it.
const LONGEST_NOTE: usize = 256;

/// The fields of metadata that hold no value of the object.
const HARMLESS: [&str; 15] = [
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "ownerReferences",
    "finalizers",
    "managedFields",
    "selfLink",
    "clusterName",
];

/// Whether the object carries the mark, and not with the value `false`.
pub(super) fn is_marked(object: &Members<'_>) -> Result<bool, serde_json::Error> {
    let Some(metadata) = object.get("metadata") else {
        return Ok(false);
    };
    let metadata = Members::of(metadata)?;
    for place in ["labels", "annotations"] {
        let Some(entries) = metadata.get(place) else {
            continue;
        };
        let mark = Members::of(entries)?.get(MARK).map(RawValue::get);
        if mark.is_some_and(|value| value != "\"false\"" && value != "null") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Redacts the annotations that copy the object, and fields that metadata does not have.
pub(super) fn metadata<'a>(
    redactor: &Redactor,
    metadata: &'a RawValue,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    if !is_object(metadata) {
        secret::whole(redactor, metadata, edits);
        return Ok(());
    }
    for (name, value) in Members::of(metadata)?.0 {
        match name.as_ref() {
            "annotations" => annotations(redactor, value, edits)?,
            name if HARMLESS.contains(&name) => {}
            _ => secret::whole(redactor, value, edits),
        }
    }
    Ok(())
}

/// Redacts those annotations that may copy the object.
pub(super) fn annotations<'a>(
    redactor: &Redactor,
    entries: &'a RawValue,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    if !is_object(entries) {
        secret::whole(redactor, entries, edits);
        return Ok(());
    }
    for (key, value) in Members::of(entries)?.0 {
        annotation(redactor, &key, value, edits);
    }
    Ok(())
}

/// Redacts the annotation if it may copy the object.
pub(super) fn annotation<'a>(redactor: &Redactor, key: &str, value: &'a RawValue, edits: &mut Edits<'a>) {
    let is_copy = COPIES.iter().any(|part| key.contains(part)) || value.get().len() > LONGEST_NOTE;
    if is_copy && value.get() != "null" {
        let plain = text(value).unwrap_or(value.get().into());
        edits.replace(value, &redactor.hash(plain.as_bytes()));
    }
}
