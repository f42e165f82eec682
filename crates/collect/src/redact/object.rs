//! Objects of any kind: finds those that must be redacted, also inside lists and tables.

use serde_json::value::RawValue;

use super::json::{Edits, Members, elements, is_object};
use super::{Redactor, answer, is_secret_resource, metadata, patch, secret};

/// Kinds with a token in their `spec` or `status`.
const TOKEN_KINDS: [&str; 2] = ["TokenRequest", "TokenReview"];
/// What a marked object may still show.
const SHOWN_IF_MARKED: [&str; 3] = ["apiVersion", "kind", "metadata"];
/// Lists do not stand in lists; deeper than this, a value is hidden rather than looked into.
const MAX_DEPTH: u8 = 4;

/// What is known about an object from where it stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    /// It belongs to a resource that holds secrets.
    pub(super) secret: bool,
    /// It was marked as not to be shown.
    pub(super) marked: bool,
    /// The API server sent it: its kind can be believed.
    pub(super) answer: bool,
    /// How many lists, tables and patches it stands in.
    pub(super) depth: u8,
}

impl Hints {
    pub(super) fn of_resource(resource: &str) -> Self {
        Self { secret: is_secret_resource(resource), ..Self::default() }
    }

    /// Whether what is not understood must be hidden.
    pub(super) fn must_hide(self) -> bool {
        self.secret || self.marked
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
    if value.get().starts_with('[') && hints.must_hide() {
        return patch::patch(redactor, value, hints, edits);
    }
    if !is_object(value) {
        if hints.must_hide() {
            secret::whole(redactor, value, edits);
        }
        return Ok(());
    }
    let members = Members::of(value)?;
    if members.have_duplicates() {
        // Which of them counts depends on who reads: none is kept.
        secret::whole(redactor, value, edits);
        return Ok(());
    }
    one(redactor, &members, hints, edits)
}

fn one<'a>(
    redactor: &Redactor,
    members: &Members<'a>,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    let kind = members.text("kind").unwrap_or_default();
    // A patch of a Secret may claim any kind: only an answer is believed.
    if hints.answer || !hints.must_hide() {
        match kind.as_ref() {
            "Status" => return answer::status(redactor, members, hints, edits),
            "Table" => return answer::table(redactor, members, hints, edits),
            kind if kind.ends_with("List") && members.get("items").is_some() => {
                let secret = hints.secret || kind == "SecretList";
                return answer::list(redactor, members, Hints { secret, ..hints }, edits);
            }
            _ => {}
        }
    }
    if hints.secret || kind == "Secret" {
        return secret::secret(redactor, members, edits);
    }
    if hints.marked || metadata::is_marked(members)? {
        return marked(redactor, members, edits);
    }
    if TOKEN_KINDS.contains(&kind.as_ref()) {
        return tokens(redactor, members, edits);
    }
    Ok(())
}

fn tokens<'a>(redactor: &Redactor, object: &Members<'a>, edits: &mut Edits<'a>) -> Result<(), serde_json::Error> {
    for place in ["spec", "status"] {
        let Some(part) = object.get(place) else { continue };
        for (name, value) in Members::of(part)?.0 {
            if name == "token" {
                secret::whole(redactor, value, edits);
            }
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

/// Redacts each element of an array as an object.
pub(super) fn each<'a>(
    redactor: &Redactor,
    array: &'a RawValue,
    hints: Hints,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    for element in elements(array)? {
        object(redactor, element, hints, edits)?;
    }
    Ok(())
}
