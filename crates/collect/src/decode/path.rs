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

/// Whether a request only tries what it would do.
pub(super) fn is_dry_run(uri: &str) -> bool {
    let query = uri.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair.split_once('=').is_some_and(|(key, value)| key == "dryRun" && !value.is_empty()))
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
    fn a_dry_run_is_told_by_its_query() {
        assert!(is_dry_run("/api/v1/namespaces/a/pods?dryRun=All&fieldManager=x"));
        assert!(is_dry_run("/api/v1/namespaces/a/pods?fieldManager=x&dryRun=All"));
        for uri in ["/api/v1/namespaces/dryRun=All/pods", "/api/v1/pods?dryRun=", "/api/v1/pods?x=dryRun", ""] {
            assert!(!is_dry_run(uri), "{uri}");
        }
    }

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
