//! What the API server answers with besides objects: lists, tables and refusals.

use serde_json::value::RawValue;

use super::json::{Edits, Members, elements, is_object};
use super::object::{self, Hints};
use super::{Redactor, secret};

/// Reasons of a refusal whose message quotes names only, never values.
const SAFE_REASONS: [&str; 7] =
    ["AlreadyExists", "Conflict", "Forbidden", "NotFound", "Timeout", "TooManyRequests", "Unauthorized"];
/// The fields of an answer that hold no object.
const HARMLESS: [&str; 8] =
    ["apiVersion", "kind", "metadata", "columnDefinitions", "status", "reason", "code", "details"];

/// A list: every item is an object.
pub(super) fn list<'a>(
    redactor: &Redactor,
    list: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    for (name, value) in &list.0 {
        match name.as_ref() {
            "items" => object::each(redactor, value, hints, edits)?,
            name => unknown(redactor, name, value, hints, edits),
        }
    }
    Ok(())
}

/// A table: its cells hold names and counts, its rows may hold the objects.
pub(super) fn table<'a>(
    redactor: &Redactor,
    table: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    for (name, value) in &table.0 {
        if name != "rows" {
            unknown(redactor, name, value, hints, edits);
            continue;
        }
        for row in elements(value)? {
            for (name, value) in Members::of(row)?.0 {
                if name == "object" {
                    object::object(redactor, value, hints, edits)?;
                }
            }
        }
    }
    Ok(())
}

/// A refused write of a Secret: the message of a validation may quote the value that it refuses.
pub(super) fn status<'a>(
    redactor: &Redactor,
    status: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    let reason = status.text("reason").unwrap_or_default();
    let is_safe = SAFE_REASONS.contains(&reason.as_ref());
    for (name, value) in &status.0 {
        match name.as_ref() {
            "message" | "details" if is_safe => {}
            "details" if hints.must_hide() => details(redactor, value, edits)?,
            name => unknown(redactor, name, value, hints, edits),
        }
    }
    Ok(())
}

fn details<'a>(redactor: &Redactor, details: &'a RawValue, edits: &mut Edits<'a>) -> Result<(), serde_json::Error> {
    if !is_object(details) {
        secret::whole(redactor, details, edits);
        return Ok(());
    }
    for (name, value) in Members::of(details)?.0 {
        if name == "causes" {
            secret::whole(redactor, value, edits);
        }
    }
    Ok(())
}

/// Hides a field that is not understood, where something must be hidden.
fn unknown<'a>(redactor: &Redactor, name: &str, value: &'a RawValue, hints: Hints, edits: &mut Edits<'a>) {
    if hints.must_hide() && !HARMLESS.contains(&name) {
        secret::whole(redactor, value, edits);
    }
}
