//! Secrets: every value is redacted, whatever field it stands in, unless the field is known to be harmless.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;

use super::json::{Edits, Members, text};
use super::{Redactor, metadata};

/// The fields of a Secret, and of the options sent to delete one, that hold no secret.
const HARMLESS: [&str; 11] = [
    "apiVersion",
    "kind",
    "type",
    "immutable",
    "gracePeriodSeconds",
    "preconditions",
    "propagationPolicy",
    "orphanDependents",
    "dryRun",
    "fieldManager",
    "fieldValidation",
];

/// Redacts a Secret, or a merge patch of one.
pub(super) fn secret<'a>(
    redactor: &Redactor,
    object: &Members<'a>,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    for (name, value) in &object.0 {
        match name.as_ref() {
            "metadata" => metadata::metadata(redactor, value, edits)?,
            "data" | "stringData" => values(redactor, value, edits)?,
            name if HARMLESS.contains(&name) => {}
            _ => whole(redactor, value, edits),
        }
    }
    Ok(())
}

/// Redacts each value of a Secret's `data` or `stringData`, and keeps the keys.
pub(super) fn values<'a>(
    redactor: &Redactor,
    data: &'a RawValue,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    if !data.get().starts_with('{') {
        whole(redactor, data, edits);
        return Ok(());
    }
    for (_, value) in Members::of(data)?.0 {
        whole(redactor, value, edits);
    }
    Ok(())
}

/// Redacts a value. `null` stays: it says that something is removed, and holds nothing.
pub(super) fn whole<'a>(redactor: &Redactor, value: &'a RawValue, edits: &mut Edits<'a>) {
    if value.get() == "null" {
        return;
    }
    let plain = text(value).unwrap_or(value.get().into());
    // Hashed as decoded, so that a value is the same in `data` and in `stringData`.
    let hash = match STANDARD.decode(plain.as_bytes()) {
        Ok(decoded) => redactor.hash(&decoded),
        Err(_) => redactor.hash(plain.as_bytes()),
    };
    edits.replace(value, &hash);
}
