//! A line of `watch.jsonl`.

use std::time::UNIX_EPOCH;

use crate::CollectError;
use crate::redact::Redactor;

use super::output::Seen;
use super::resource::Resource;

/// The line for one object version, redacted; the object keeps its bytes otherwise.
pub(crate) fn line(redactor: &Redactor, resource: &Resource, seen: Seen<'_>) -> Result<String, CollectError> {
    let Seen { observed, kind, object } = seen;
    let object = redactor.object(&resource.plural, object)?;
    let nanos = observed.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let path = &resource.path;
    // A line end in JSON stands between tokens only.
    let object = if object.contains(['\n', '\r']) { object.replace(['\n', '\r'], " ") } else { object };
    Ok(format!(r#"{{"observedUnixNano":"{nanos}","path":"{path}","type":"{kind}","object":{object}}}"#))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_line_has_the_form_of_a_capture() {
        let observed = UNIX_EPOCH + Duration::from_nanos(1_794_732_609_422_387_385);
        let resource = Resource::new("apps", "v1", "deployments");
        let redactor = Redactor::new([0; 32]);
        let seen = Seen { observed, kind: "ADDED", object: "{\"a\": 1.0,\n\"b\":[]}" };
        let line = line(&redactor, &resource, seen).expect("a line");
        assert_eq!(
            line,
            r#"{"observedUnixNano":"1794732609422387385","path":"/apis/apps/v1/deployments","type":"ADDED","object":{"a": 1.0, "b":[]}}"#
        );
    }
}
