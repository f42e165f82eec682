//! One resource of the cluster, in the version and the namespaces that are watched.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A resource, and which of its objects are watched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Resource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    /// The kind of its objects, which the items of a list do not say.
    pub(crate) kind: String,
    /// Whether its objects live in namespaces.
    pub(crate) namespaced: bool,
    /// The only namespace that is watched; all of them if empty.
    pub(crate) namespace: String,
    /// Namespaces that are left out.
    pub(crate) without: Vec<String>,
    /// Whether only the metadata of its objects are asked for.
    pub(crate) metadata_only: bool,
    /// The path of its objects.
    pub(crate) path: String,
}

/// What stays the same when a resource is served in another version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct ResourceKey {
    /// `pods`, `deployments.apps`.
    pub(crate) name: String,
    /// The only namespace that is watched; all of them if empty.
    pub(crate) namespace: String,
}

impl Resource {
    pub(crate) fn new(group: &str, version: &str, plural: &str) -> Self {
        let resource =
            Self { group: group.to_owned(), version: version.to_owned(), plural: plural.to_owned(), ..Self::default() };
        resource.within("")
    }

    /// The same resource in one namespace only; in all of them if it is empty.
    pub(crate) fn within(mut self, namespace: &str) -> Self {
        let Self { group, version, plural, .. } = &self;
        let root = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        let place = if namespace.is_empty() { String::new() } else { format!("/namespaces/{namespace}") };
        self.path = format!("{root}{place}/{plural}");
        namespace.clone_into(&mut self.namespace);
        self
    }

    pub(crate) fn key(&self) -> ResourceKey {
        ResourceKey { name: self.name(), namespace: self.namespace.clone() }
    }

    /// The name as `kubectl` takes it: `pods`, `deployments.apps`.
    pub(crate) fn name(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// Whether a change of this resource can bring or take others.
    pub(super) fn brings_others(&self) -> bool {
        matches!(self.plural.as_str(), "customresourcedefinitions" | "apiservices")
    }

    /// The selector that leaves out namespaces, as a part of the query.
    pub(super) fn field_selector(&self) -> String {
        if self.without.is_empty() || !self.namespaced || !self.namespace.is_empty() {
            return String::new();
        }
        let parts: Vec<String> = self.without.iter().map(|name| format!("metadata.namespace!%3D{name}")).collect();
        format!("&fieldSelector={}", parts.join("%2C"))
    }

    /// What is accepted as an answer to a list or a watch.
    pub(super) fn accepts(&self, watch: bool) -> &'static str {
        match (self.metadata_only, watch) {
            (false, _) => "application/json",
            (true, false) => "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
            (true, true) => "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        }
    }
}

impl fmt::Display for ResourceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.namespace.is_empty() { Ok(()) } else { write!(f, " in {}", self.namespace) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_the_namespace_if_there_is_only_one() {
        let deployments = Resource::new("apps", "v1", "deployments");
        assert_eq!(deployments.path, "/apis/apps/v1/deployments");
        assert_eq!(deployments.within("shop").path, "/apis/apps/v1/namespaces/shop/deployments");
        assert_eq!(Resource::new("", "v1", "pods").within("shop").path, "/api/v1/namespaces/shop/pods");
    }

    #[test]
    fn namespaces_are_left_out_where_there_are_any() {
        let without = vec!["kube-system".to_owned(), "a".to_owned()];
        let pods = Resource { namespaced: true, without, ..Resource::new("", "v1", "pods") };
        let expected = "&fieldSelector=metadata.namespace!%3Dkube-system%2Cmetadata.namespace!%3Da";
        assert_eq!(pods.field_selector(), expected);
        assert_eq!(Resource { namespaced: false, ..pods.clone() }.field_selector(), "");
        assert_eq!(pods.within("shop").field_selector(), "");
    }
}
