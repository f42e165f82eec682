//! The way through a request: its resources, their scopes, their spans.

use super::Malformed;
use super::wire::Fields;

/// All fields of a message that have this number and hold bytes.
pub(super) fn messages(message: &[u8], number: u32) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    Fields::new(message).filter_map(move |field| match field {
        Ok(field) => (field.number == number).then(|| field.bytes()),
        Err(error) => Some(Err(error)),
    })
}

/// The groups of spans that have a resource in common.
pub(super) fn groups(request: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    messages(request, 1)
}

/// The resources of a group: one, unless it was sent in parts.
pub(super) fn resources(group: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    messages(group, 1)
}

/// The parts of a group that have a scope in common.
pub(super) fn scopes(group: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    messages(group, 2)
}

/// The name of a part's scope.
pub(super) fn scope_name(part: &[u8]) -> Result<&[u8], Malformed> {
    let mut name: &[u8] = &[];
    for scope in messages(part, 1) {
        for found in messages(scope?, 1) {
            name = found?;
        }
    }
    Ok(name)
}

/// The spans of a part.
pub(super) fn spans(part: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    messages(part, 2)
}
