//! Which resources may be listed and watched, by the API server's own word.

use kube::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::findings::{Allowed, Right};
use crate::live::ask::post;
use crate::watch::Resource;

const REVIEWS: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
/// Reviews that are under way at once.
const AT_ONCE: usize = 8;

/// Asks for each resource; for all at once first, which an administrator may.
pub(super) async fn rights(client: &Client, resources: Vec<Resource>) -> Vec<Right> {
    let everything = Resource { group: "*".to_owned(), plural: "*".to_owned(), ..Resource::default() };
    if may_watch(client, &everything).await == Allowed::Yes {
        return resources.iter().map(|resource| right(resource, Allowed::Yes)).collect();
    }
    let mut found = Vec::with_capacity(resources.len());
    let mut asking = JoinSet::new();
    for resource in resources {
        if asking.len() >= AT_ONCE {
            found.extend(asking.join_next().await.and_then(Result::ok));
        }
        let client = client.clone();
        asking.spawn(async move { right(&resource, may_watch(&client, &resource).await) });
    }
    while let Some(answered) = asking.join_next().await {
        found.extend(answered.ok());
    }
    found.sort_by(|one, other| one.resource.cmp(&other.resource));
    found
}

fn right(resource: &Resource, allowed: Allowed) -> Right {
    Right { resource: resource.key().to_string(), allowed }
}

async fn may_watch(client: &Client, resource: &Resource) -> Allowed {
    match (may(client, resource, "list").await, may(client, resource, "watch").await) {
        (Allowed::Yes, Allowed::Yes) => Allowed::Yes,
        (Allowed::No, _) | (_, Allowed::No) => Allowed::No,
        _ => Allowed::Unknown,
    }
}

async fn may(client: &Client, resource: &Resource, verb: &str) -> Allowed {
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {
            "group": resource.group, "resource": resource.plural, "namespace": resource.namespace, "verb": verb,
        }},
    });
    let Ok(answer) = post(client, REVIEWS, &review).await else { return Allowed::Unknown };
    match answer.body.pointer("/status/allowed").and_then(Value::as_bool) {
        Some(true) => Allowed::Yes,
        Some(false) => Allowed::No,
        None => Allowed::Unknown,
    }
}
