//! Helm keeps each revision of a release in a Secret (or ConfigMap): its writes tell where the release stands.

use clew_weave::{FieldDiff, Root};

const PREFIX: &str = "sh.helm.release.v1.";

/// What happened to a Helm release; none if the object is no revision of one.
pub(super) fn deed(root: &Root, diff: &[FieldDiff]) -> Option<String> {
    let (release, revision) = root.name.strip_prefix(PREFIX)?.rsplit_once(".v")?;
    let release = format!("Helm release {}/{release}", root.namespace);
    let status = diff.iter().find(|field| field.path == "labels.status").and_then(|field| field.after.as_deref());
    Some(match (root.verb.as_str(), status) {
        ("create", _) if revision == "1" => format!("began to install {release}"),
        ("create", _) => format!("began revision {revision} of {release}"),
        ("delete", _) => format!("deleted revision {revision} of {release}"),
        (_, Some(status)) => format!("marked revision {revision} of {release} as {status}"),
        _ => format!("recorded revision {revision} of {release}"),
    })
}
