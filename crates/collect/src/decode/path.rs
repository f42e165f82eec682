//! API paths: which resource a list or watch reads.

use clew_weave::fact::Kind;
use compact_str::CompactString;

/// Reads `/api/v1/pods`, `/apis/apps/v1/namespaces/shop/deployments` and the like.
pub(super) fn kind(path: &str) -> Option<Kind> {
    let path = path.split('?').next().unwrap_or_default();
    let mut parts = path.trim_matches('/').split('/');
    let (group, version) = match parts.next()? {
        "api" => ("", parts.next()?),
        "apis" => (parts.next()?, parts.next()?),
        _ => return None,
    };
    let rest: Vec<&str> = parts.collect();
    let (["namespaces", _, resource, ..] | [resource, ..]) = rest.as_slice() else { return None };
    Some(Kind {
        group: group.into(),
        version: version.into(),
        resource: (*resource).into(),
        kind: CompactString::default(),
    })
}

/// Whether the resource is that of Kubernetes events, in either group.
pub(super) fn is_event(kind: &Kind) -> bool {
    kind.resource == "events" && matches!(kind.group.as_str(), "" | "events.k8s.io")
}

/// Whether the resource is a lease: heartbeats, and no part of any journey.
pub(super) fn is_lease(kind: &Kind) -> bool {
    kind.resource == "leases" && kind.group == "coordination.k8s.io"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_their_resource() {
        for (text, group, resource) in [
            ("/api/v1/pods", "", "pods"),
            ("/api/v1/namespaces", "", "namespaces"),
            ("/api/v1/namespaces/shop/pods?watch=1", "", "pods"),
            ("/apis/apps/v1/deployments", "apps", "deployments"),
            ("/apis/demo.example.com/v1/namespaces/x/heads", "demo.example.com", "heads"),
        ] {
            let kind = kind(text).unwrap();
            assert_eq!((kind.group.as_str(), kind.resource.as_str()), (group, resource), "{text}");
        }
        for text in ["", "/", "/healthz", "/api", "/apis/apps"] {
            assert_eq!(kind(text), None, "{text}");
        }
    }
}
