//! Which resources a cluster has: those that can be listed and watched, each in one version.

use std::collections::BTreeSet;

use kube::Client;
use kube::core::discovery::v2::{APIGroupDiscoveryList, APIResourceDiscovery};

use super::resource::Resource;
use super::scope::Scope;
use crate::CollectError;

/// The same objects as `events` of the core group, under a second name.
const SECOND_EVENTS: (&str, &str) = ("events", "events.k8s.io");

/// Asks the cluster.
pub(crate) async fn discover(client: &Client, scope: &Scope) -> Result<Vec<Resource>, CollectError> {
    let failed = |source| CollectError::Api { what: "discovery".to_owned(), source: Box::new(source) };
    let core = client.list_core_api_versions_aggregated().await.map_err(failed)?;
    let groups = client.list_api_groups_aggregated().await.map_err(failed)?;
    let mut found = resources(&core);
    found.extend(resources(&groups));
    Ok(found.into_iter().flat_map(|resource| scope.of(resource)).collect())
}

/// The resources of these groups, each in the first, preferred, version that has it.
fn resources(groups: &APIGroupDiscoveryList) -> Vec<Resource> {
    let mut found = Vec::new();
    for group in &groups.items {
        let name = group.metadata.as_ref().and_then(|metadata| metadata.name.as_deref()).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for version in &group.versions {
            let Some(version_name) = &version.version else {
                continue;
            };
            for resource in version.resources.iter().filter(|resource| can_be_watched(resource)) {
                let Some(plural) = &resource.resource else {
                    continue;
                };
                if (plural.as_str(), name) != SECOND_EVENTS && seen.insert(plural.clone()) {
                    let kind = resource.response_kind.as_ref().and_then(|kind| kind.kind.clone()).unwrap_or_default();
                    let namespaced = resource.scope.as_deref() == Some("Namespaced");
                    found.push(Resource { kind, namespaced, ..Resource::new(name, version_name, plural) });
                }
            }
        }
    }
    found
}

fn can_be_watched(resource: &APIResourceDiscovery) -> bool {
    ["list", "watch"].iter().all(|needed| resource.verbs.iter().any(|verb| verb == needed))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_resource_is_taken_once_in_its_preferred_version() {
        let both = json!(["get", "list", "watch"]);
        let groups: APIGroupDiscoveryList = serde_json::from_value(json!({"items": [
            {"metadata": {"name": "example.com"}, "versions": [
                {"version": "v2", "resources": [{"resource": "things", "verbs": both}]},
                {"version": "v1", "resources": [{"resource": "things", "verbs": both},
                    {"resource": "olds", "verbs": both}, {"resource": "listed", "verbs": ["list"]}]}]},
            {"metadata": {"name": "events.k8s.io"}, "versions": [
                {"version": "v1", "resources": [{"resource": "events", "verbs": both}]}]},
            {"versions": [{"version": "v1", "resources": [{"resource": "pods", "verbs": both}]}]},
        ]}))
        .expect("discovery");
        let paths: Vec<String> = resources(&groups).into_iter().map(|resource| resource.path).collect();
        assert_eq!(paths, ["/apis/example.com/v2/things", "/apis/example.com/v1/olds", "/api/v1/pods"]);
    }
}
