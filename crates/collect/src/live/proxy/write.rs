//! A write that went through the proxy: enough to find its journey.

use compact_str::CompactString;
use serde::Deserialize;

/// A write that the API server accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxiedWrite {
    /// The audit id that it was given.
    pub audit: String,
    /// The object's UID, where the answer has it.
    pub uid: CompactString,
    /// The version that the write made.
    pub version: CompactString,
    /// `Deployment`.
    pub kind: CompactString,
    /// The object's namespace.
    pub namespace: CompactString,
    /// Its name.
    pub name: CompactString,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(default)]
    kind: CompactString,
    #[serde(default)]
    metadata: Metadata,
    /// What a `Status` tells of the object that was deleted.
    #[serde(default)]
    details: Option<Metadata>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    uid: CompactString,
    #[serde(default)]
    resource_version: CompactString,
    #[serde(default)]
    namespace: CompactString,
    #[serde(default)]
    name: CompactString,
    #[serde(default)]
    kind: CompactString,
}

impl ProxiedWrite {
    /// What an answer tells of a write: its audit id alone where it is protobuf, which kubectl asks for when it creates.
    pub(super) fn of(audit: String, answer: &[u8]) -> Self {
        let Answer { kind, metadata, details } = serde_json::from_slice(answer).unwrap_or_default();
        let (kind, metadata) = match details {
            Some(details) => (details.kind.clone(), details),
            None => (kind, metadata),
        };
        let Metadata { uid, resource_version, namespace, name, .. } = metadata;
        Self { audit, uid, version: resource_version, kind, namespace, name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_and_a_deletion_are_understood() {
        let made =
            br#"{"kind":"Deployment","metadata":{"uid":"u","resourceVersion":"7","namespace":"shop","name":"web"}}"#;
        let made = ProxiedWrite::of("a".into(), made);
        assert_eq!((made.kind.as_str(), made.version.as_str(), made.name.as_str()), ("Deployment", "7", "web"));
        let gone = br#"{"kind":"Status","status":"Success","details":{"name":"web","kind":"deployments","uid":"u"}}"#;
        let gone = ProxiedWrite::of("a".into(), gone);
        assert_eq!((gone.kind.as_str(), gone.uid.as_str()), ("deployments", "u"));
        assert_eq!(ProxiedWrite::of("a".into(), b"k8s\0").audit, "a");
    }
}
