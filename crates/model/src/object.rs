//! Which Kubernetes object is meant.

use std::fmt;

use compact_str::{CompactString, format_compact};
use serde::{Deserialize, Serialize};

/// Names one Kubernetes object: what it is, where it is, and which incarnation.
///
/// Parts that a source does not know are empty.
///
/// ```
/// use clew_model::ObjectRef;
///
/// let web = ObjectRef {
///     kind: "Deployment".into(),
///     namespace: "shop".into(),
///     name: "web".into(),
///     ..ObjectRef::default()
/// };
/// assert_eq!(web.to_string(), "Deployment shop/web");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectRef {
    /// The cluster's name, as clew was told it.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub cluster: CompactString,
    /// The API group; empty for the core group.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub group: CompactString,
    /// The API version, such as `v1`.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub version: CompactString,
    /// The kind, such as `Deployment`.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub kind: CompactString,
    /// The resource, such as `deployments`.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub resource: CompactString,
    /// The namespace; empty for objects of the whole cluster.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub namespace: CompactString,
    /// The object's name.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub name: CompactString,
    /// The object's UID, which no other object ever has.
    #[serde(skip_serializing_if = "CompactString::is_empty")]
    pub uid: CompactString,
}

/// Where an object is found, whichever incarnation lives there.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectKey {
    /// The cluster's name.
    pub cluster: CompactString,
    /// The API group; empty for the core group.
    pub group: CompactString,
    /// The resource, such as `deployments`.
    pub resource: CompactString,
    /// The namespace; empty for objects of the whole cluster.
    pub namespace: CompactString,
    /// The object's name.
    pub name: CompactString,
}

impl ObjectRef {
    /// Where the object is found, for look-ups by sources that know no UID.
    pub fn key(&self) -> ObjectKey {
        ObjectKey {
            cluster: self.cluster.clone(),
            group: self.group.clone(),
            resource: self.resource.clone(),
            namespace: self.namespace.clone(),
            name: self.name.clone(),
        }
    }

    /// The `apiVersion` of the object, such as `apps/v1` or `v1`.
    pub fn api_version(&self) -> CompactString {
        if self.group.is_empty() {
            return self.version.clone();
        }
        format_compact!("{}/{}", self.group, self.version)
    }

    /// Sets group and version from an `apiVersion`.
    pub fn with_api_version(mut self, api_version: &str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        self.group = group.into();
        self.version = version.into();
        self
    }

    /// The kind, or the resource where the source knows no kind.
    pub fn kind_or_resource(&self) -> &str {
        if self.kind.is_empty() { &self.resource } else { &self.kind }
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, self.kind_or_resource(), &self.namespace, &self.name)
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.resource, &self.namespace, &self.name)
    }
}

fn write_name(f: &mut fmt::Formatter<'_>, what: &str, namespace: &str, name: &str) -> fmt::Result {
    if !what.is_empty() {
        write!(f, "{what} ")?;
    }
    if !namespace.is_empty() {
        write!(f, "{namespace}/")?;
    }
    f.write_str(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod() -> ObjectRef {
        ObjectRef { resource: "pods".into(), name: "web-1".into(), ..ObjectRef::default() }
    }

    #[test]
    fn an_object_without_kind_shows_its_resource() {
        assert_eq!(pod().to_string(), "pods web-1");
        assert_eq!(pod().key().to_string(), "pods web-1");
    }

    #[test]
    fn empty_parts_are_left_out_of_the_json() {
        let json = serde_json::to_string(&pod()).unwrap();
        assert_eq!(json, r#"{"resource":"pods","name":"web-1"}"#);
        assert_eq!(serde_json::from_str::<ObjectRef>(&json).unwrap(), pod());
    }

    #[test]
    fn an_api_version_survives_being_split() {
        for api_version in ["v1", "apps/v1", "a.b.example/v2beta1"] {
            assert_eq!(pod().with_api_version(api_version).api_version(), api_version);
        }
    }

    #[test]
    fn two_incarnations_have_one_key() {
        let first = ObjectRef { uid: "1".into(), ..pod() };
        let second = ObjectRef { uid: "2".into(), ..pod() };
        assert_ne!(first, second);
        assert_eq!(first.key(), second.key());
    }
}
