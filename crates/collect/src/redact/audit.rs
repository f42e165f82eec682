//! Audit events: the objects that were sent and answered.

use serde_json::value::RawValue;

use super::json::{Edits, Members, text};
use super::object::{self, Hints};
use super::{Redactor, answer, is_secret_resource, marks, metadata};

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
    hints.marked = remembered(redactor, &event, hints.marked)?;
    if let Some(request) = event.get("requestObject") {
        object::object(redactor, request, hints, edits)?;
    }
    let hints = Hints { answer: true, ..hints };
    if let Some(response) = event.get("responseObject") {
        object::object(redactor, response, hints, edits)?;
    }
    if let Some(status) = event.get("responseStatus") {
        answer::status(redactor, &Members::of(status)?, hints, edits)?;
    }
    Ok(())
}

/// Whether the object is marked, by what this event shows or by what was seen before.
fn remembered(redactor: &Redactor, event: &Members<'_>, marked: bool) -> Result<bool, serde_json::Error> {
    let (Some(marks), Some(reference)) = (redactor.marks(), event.get("objectRef")) else {
        return Ok(marked);
    };
    let reference = Members::of(reference)?;
    let resource = reference.text("resource").unwrap_or_default();
    let Some(key) = marks::key(&resource, &reference) else { return Ok(marked) };
    if !marked {
        return Ok(marks.has(&key));
    }
    marks.add(key);
    Ok(true)
}

fn is_about_secrets(event: &Members<'_>) -> Result<bool, serde_json::Error> {
    if let Some(reference) = event.get("objectRef") {
        let reference = Members::of(reference)?;
        let resources = reference.0.iter().filter(|(name, _)| name == "resource");
        return Ok(resources.filter_map(|(_, value)| text(value)).any(|resource| is_secret_resource(&resource)));
    }
    // Without a reference the event is about no resource, unless a proxy left it out: the path tells.
    let path = event.text("requestURI").unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    Ok(path.split('/').any(is_secret_resource))
}
