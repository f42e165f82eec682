//! Objects of any kind: finds those that must be redacted, also inside lists and tables.

use serde_json::value::RawValue;

use super::json::{Edits, Members, elements};
use super::{Redactor, is_secret_resource, metadata, patch, secret};

/// Kinds with a token in their `spec` or `status`.
const TOKEN_KINDS: [&str; 2] = ["TokenRequest", "TokenReview"];
/// What a marked object may still show.
const SHOWN_IF_MARKED: [&str; 3] = ["apiVersion", "kind", "metadata"];
/// Reasons of a refusal whose message quotes names only, never values.
const SAFE_REASONS: [&str; 7] =
    ["AlreadyExists", "Conflict", "Forbidden", "NotFound", "Timeout", "TooManyRequests", "Unauthorized"];
/// Lists do not stand in lists; deeper than this, a value is hidden rather than looked into.
const MAX_DEPTH: u8 = 4;

/// What is known about an object from where it stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    /// It belongs to a resource that holds secrets.
    pub(super) secret: bool,
    /// It was marked as not to be shown.
    pub(super) marked: bool,
    /// How many lists, tables and patches it stands in.
    pub(super) depth: u8,
}

impl Hints {
    pub(super) fn of_resource(resource: &str) -> Self {
        Self { secret: is_secret_resource(resource), ..Self::default() }
    }

    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// Redacts an object, a list or table of objects, or a patch.
pub(super) fn object<'a>(
    redactor: &Redactor,
    value: &'a RawValue,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    if hints.depth > MAX_DEPTH {
        secret::whole(redactor, value, edits);
        return Ok(());
    }
    let hints = hints.deeper();
    let must_hide = hints.secret || hints.marked;
    if value.get().starts_with('[') && must_hide {
        return patch::patch(redactor, value, hints, edits);
    }
    if !value.get().starts_with('{') {
        if must_hide {
            secret::whole(redactor, value, edits);
        }
        return Ok(());
    }
    let members = Members::of(value)?;
    let kind = members.text("kind").unwrap_or_default();
    if kind == "Status" {
        return status(redactor, &members, hints, edits);
    }
    if kind.ends_with("List") && members.get("items").is_some() {
        let secret = hints.secret || kind == "SecretList";
        return list(redactor, &members, Hints { secret, ..hints }, edits);
    }
    if kind == "Table" {
        return table(redactor, &members, hints, edits);
    }
    if TOKEN_KINDS.contains(&kind.as_ref()) {
        return tokens(redactor, &members, edits);
    }
    if hints.secret || kind == "Secret" {
        return secret::secret(redactor, &members, edits);
    }
    if hints.marked || metadata::is_marked(&members)? {
        return marked(redactor, &members, edits);
    }
    Ok(())
}

fn list<'a>(
    redactor: &Redactor,
    list: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    let Some(items) = list.get("items") else {
        return Ok(());
    };
    for item in elements(items)? {
        object(redactor, item, hints, edits)?;
    }
    Ok(())
}

fn table<'a>(
    redactor: &Redactor,
    table: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    let Some(rows) = table.get("rows") else {
        return Ok(());
    };
    for row in elements(rows)? {
        if let Some(shown) = Members::of(row)?.get("object") {
            object(redactor, shown, hints, edits)?;
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
    if !hints.secret && !hints.marked || SAFE_REASONS.contains(&reason.as_ref()) {
        return Ok(());
    }
    if let Some(message) = status.get("message") {
        secret::whole(redactor, message, edits);
    }
    let Some(details) = status.get("details") else {
        return Ok(());
    };
    if let Some(causes) = Members::of(details)?.get("causes") {
        secret::whole(redactor, causes, edits);
    }
    Ok(())
}

fn tokens<'a>(redactor: &Redactor, object: &Members<'a>, edits: &mut Edits<'a>) -> Result<(), serde_json::Error> {
    for place in ["spec", "status"] {
        let Some(part) = object.get(place) else { continue };
        if let Some(token) = Members::of(part)?.get("token") {
            secret::whole(redactor, token, edits);
        }
    }
    Ok(())
}

fn marked<'a>(redactor: &Redactor, object: &Members<'a>, edits: &mut Edits<'a>) -> Result<(), serde_json::Error> {
    for (name, value) in &object.0 {
        if name == "metadata" {
            metadata::metadata(redactor, value, edits)?;
        } else if !SHOWN_IF_MARKED.contains(&name.as_ref()) {
            secret::whole(redactor, value, edits);
        }
    }
    Ok(())
}
