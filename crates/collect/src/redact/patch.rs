//! JSON patches: a list of operations, whose values are parts of an object.

use serde_json::value::RawValue;

use super::json::{Edits, Members, elements, is_object};
use super::object::{self, Hints};
use super::{Redactor, metadata, secret};

/// The fields of an operation that hold no value.
const HARMLESS: [&str; 3] = ["op", "path", "from"];

/// Redacts the operations of a JSON patch on an object that must be redacted.
pub(super) fn patch<'a>(
    redactor: &Redactor,
    operations: &'a RawValue,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    for operation in elements(operations)? {
        let members = Members::of(operation)?;
        if !is_object(operation) || members.have_duplicates() {
            secret::whole(redactor, operation, edits);
            continue;
        }
        let path = members.text("path");
        for (name, value) in &members.0 {
            match (name.as_ref(), &path) {
                ("value", Some(path)) => value_at(redactor, path, value, hints, edits)?,
                (name, _) if HARMLESS.contains(&name) => {}
                _ => secret::whole(redactor, value, edits),
            }
        }
    }
    Ok(())
}

fn value_at<'a>(
    redactor: &Redactor,
    path: &str,
    value: &'a RawValue,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    match path {
        "" => return object::object(redactor, value, hints, edits),
        "/metadata" => return metadata::metadata(redactor, value, edits),
        "/metadata/annotations" => return metadata::annotations(redactor, value, edits),
        "/data" | "/stringData" => return secret::values(redactor, value, edits),
        _ => {}
    }
    if let Some(key) = path.strip_prefix("/metadata/annotations/") {
        metadata::annotation(redactor, key, value, edits);
    } else if !path.starts_with("/metadata/") && path != "/type" && path != "/immutable" {
        secret::whole(redactor, value, edits);
    }
    Ok(())
}
