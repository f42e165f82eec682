//! How much of a cluster is watched: which resources, in which namespaces, and how much of their objects.

use super::resource::Resource;
use super::select::{Pattern, Selection};

/// What is watched of a cluster.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Which resources.
    pub selection: Selection,
    /// Only objects in these namespaces, unless empty; then what lives in none is watched only if it is included by name.
    pub namespaces: Vec<String>,
    /// No objects in these namespaces.
    pub without_namespaces: Vec<String>,
    /// Resources of which only the metadata are asked for.
    pub metadata_only: Vec<Pattern>,
}

impl From<Selection> for Scope {
    fn from(selection: Selection) -> Self {
        Self { selection, ..Self::default() }
    }
}

impl Scope {
    /// What is to be watched of a resource: nothing, all of it, or it in some namespaces.
    pub(super) fn of(&self, resource: Resource) -> Vec<Resource> {
        if !self.selection.selects(&resource) {
            return Vec::new();
        }
        let metadata_only = self.metadata_only.iter().any(|pattern| pattern.names(&resource));
        let resource = Resource { metadata_only, without: self.without_namespaces.clone(), ..resource };
        if self.namespaces.is_empty() {
            return vec![resource];
        }
        if !resource.namespaced {
            let is_named = self.selection.include.iter().any(|pattern| pattern.names(&resource));
            return is_named.then_some(resource).into_iter().collect();
        }
        let wanted = self.namespaces.iter().filter(|name| !self.without_namespaces.contains(name));
        wanted.map(|namespace| resource.clone().within(namespace)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(group: &str, plural: &str, kind: &str, namespaced: bool) -> Resource {
        Resource { kind: kind.to_owned(), namespaced, ..Resource::new(group, "v1", plural) }
    }

    fn paths(scope: &Scope, resource: Resource) -> Vec<String> {
        scope.of(resource).into_iter().map(|resource| resource.path).collect()
    }

    #[test]
    fn namespaces_that_are_named_are_watched_one_by_one_and_nothing_beside_them() {
        let scope = Scope { namespaces: vec!["a".to_owned(), "b".to_owned()], ..Scope::default() };
        let pods = resource("", "pods", "Pod", true);
        assert_eq!(paths(&scope, pods.clone()), ["/api/v1/namespaces/a/pods", "/api/v1/namespaces/b/pods"]);
        let nodes = resource("", "nodes", "Node", false);
        assert!(paths(&scope, nodes.clone()).is_empty());
        let include = ["node", "pods"].map(|name| name.parse().expect("a pattern")).to_vec();
        let named = Scope { selection: Selection { include, exclude: vec![] }, ..scope };
        assert_eq!(paths(&named, nodes), ["/api/v1/nodes"]);
        let scope = Scope { without_namespaces: vec!["a".to_owned()], ..named };
        assert_eq!(paths(&scope, pods), ["/api/v1/namespaces/b/pods"]);
    }

    #[test]
    fn of_some_resources_only_the_metadata_are_asked_for() {
        let metadata_only = vec!["secrets".parse().expect("a pattern")];
        let scope = Scope { metadata_only, ..Scope::default() };
        assert!(scope.of(resource("", "secrets", "Secret", true))[0].metadata_only);
        assert!(!scope.of(resource("", "pods", "Pod", true))[0].metadata_only);
    }
}
