//! Audit events: the objects that were sent and answered.

use serde_json::value::RawValue;

use super::json::{Edits, Members};
use super::object::{self, Hints};
use super::{Redactor, is_secret_resource, metadata};

/// Redacts an audit event.
pub(super) fn event<'a>(
    redactor: &Redactor,
    event: &'a RawValue,
    edits: &mut Edits<'a>,
) -> Result<(), serde_json::Error> {
    let event = Members::of(event)?;
    // Both are looked at before either is redacted: a patch does not show the mark that the answer shows.
    let sides = [event.get("requestObject"), event.get("responseObject")];
    let mut hints = Hints { secret: is_about_secrets(&event)?, ..Hints::default() };
    for side in sides.into_iter().flatten() {
        hints.marked |= metadata::is_marked(&Members::of(side)?)?;
    }
    for side in sides.into_iter().flatten() {
        object::object(redactor, side, hints, edits)?;
    }
    if let Some(status) = event.get("responseStatus") {
        object::status(redactor, &Members::of(status)?, hints, edits)?;
    }
    Ok(())
}

fn is_about_secrets(event: &Members<'_>) -> Result<bool, serde_json::Error> {
    if let Some(reference) = event.get("objectRef") {
        let reference = Members::of(reference)?;
        return Ok(reference.text("resource").is_some_and(|resource| is_secret_resource(&resource)));
    }
    // Without a reference the event is about no resource, unless a proxy left it out: the path tells.
    let path = event.text("requestURI").unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    Ok(path.split('/').any(is_secret_resource))
}
