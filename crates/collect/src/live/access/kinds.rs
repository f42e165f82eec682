//! The resources that a kind may be.

use std::collections::HashMap;

use crate::watch::Resource;

/// Every resource of a cluster, by its kind and by its own name.
#[derive(Debug, Default)]
pub(super) struct Kinds(HashMap<String, Vec<Named>>);

/// A resource, as rights name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) group: String,
    pub(super) plural: String,
}

impl Kinds {
    pub(super) fn new(resources: &[Resource]) -> Self {
        let mut kinds: HashMap<String, Vec<Named>> = HashMap::new();
        for Resource { group, plural, kind, .. } in resources {
            let named = Named { group: group.clone(), plural: plural.clone() };
            for name in [kind.to_lowercase(), plural.to_lowercase()] {
                let known = kinds.entry(name).or_default();
                if !known.contains(&named) {
                    known.push(named.clone());
                }
            }
        }
        Self(kinds)
    }

    /// The resources that something called so may be: a journey does not say of which group its objects are, so that
    /// whoever wants to see it must be allowed to read them all. None if the cluster has nothing of this name (any more).
    pub(super) fn of(&self, kind: &str) -> Option<&[Named]> {
        self.0.get(&kind.to_lowercase()).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_both_its_names_and_in_all_its_groups() {
        let resource = |group: &str, plural: &str, kind: &str| Resource {
            kind: kind.to_owned(),
            ..Resource::new(group, "v1", plural)
        };
        let kinds = Kinds::new(&[
            resource("apps", "deployments", "Deployment"),
            resource("", "services", "Service"),
            resource("serving.example.com", "services", "Service"),
            resource("", "endpoints", "Endpoints"),
        ]);
        let groups =
            |kind: &str| kinds.of(kind).map(|found| found.iter().map(|named| named.group.as_str()).collect::<Vec<_>>());
        assert_eq!(groups("Deployment"), Some(vec!["apps"]));
        assert_eq!(groups("deployments"), Some(vec!["apps"]));
        assert_eq!(groups("Service"), Some(vec!["", "serving.example.com"]));
        assert_eq!(groups("endpoints"), Some(vec![""]));
        assert_eq!(groups("Widget"), None);
    }
}
