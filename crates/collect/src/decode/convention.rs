//! What tools write down about whom an object belongs to: by labels and annotations rather than by owner references.

use clew_weave::fact::ManagedBy;
use smallvec::SmallVec;

use super::raw::{Metadata, Pairs};

/// How many managers of one object are told apart.
const MAX_MANAGERS: usize = 4;

/// Where the namespace of a manager is written down.
enum Namespace {
    /// In the label or annotation of this key.
    In(&'static str),
    /// Nowhere: it is that of the object.
    Own,
    /// Nowhere: it may be any, or none.
    Any,
}

/// One way in which a tool marks what it manages.
struct Convention {
    /// The label or annotation that has the manager's name.
    name: &'static str,
    namespace: Namespace,
    /// The manager's kind; empty if it may be any.
    kind: &'static str,
}

const fn convention(name: &'static str, namespace: Namespace, kind: &'static str) -> Convention {
    Convention { name, namespace, kind }
}

/// The conventions that are known.
const CONVENTIONS: [Convention; 18] = [
    convention(
        "kustomize.toolkit.fluxcd.io/name",
        Namespace::In("kustomize.toolkit.fluxcd.io/namespace"),
        "Kustomization",
    ),
    convention("helm.toolkit.fluxcd.io/name", Namespace::In("helm.toolkit.fluxcd.io/namespace"), "HelmRelease"),
    convention(
        "resourceset.fluxcd.controlplane.io/name",
        Namespace::In("resourceset.fluxcd.controlplane.io/namespace"),
        "ResourceSet",
    ),
    // `app:group/kind:namespace/name`; the application's name may have its namespace before it.
    convention("argocd.argoproj.io/tracking-id", Namespace::Any, "Application"),
    convention("argocd.argoproj.io/instance", Namespace::Any, "Application"),
    convention("app.kubernetes.io/instance", Namespace::Any, "Application"),
    convention("objectset.rio.cattle.io/owner-name", Namespace::In("objectset.rio.cattle.io/owner-namespace"), ""),
    convention("crossplane.io/composite", Namespace::Any, ""),
    convention("crossplane.io/claim-name", Namespace::In("crossplane.io/claim-namespace"), ""),
    convention("olm.owner", Namespace::In("olm.owner.namespace"), ""),
    convention("cert-manager.io/certificate-name", Namespace::Own, "Certificate"),
    convention("acme.cert-manager.io/order-name", Namespace::Own, "Order"),
    convention("cluster.x-k8s.io/cluster-name", Namespace::Own, "Cluster"),
    convention("gateway.networking.k8s.io/gateway-name", Namespace::Own, "Gateway"),
    convention("serving.knative.dev/service", Namespace::Own, "Service"),
    convention("strimzi.io/cluster", Namespace::Own, ""),
    convention("meta.helm.sh/release-name", Namespace::In("meta.helm.sh/release-namespace"), "HelmRelease"),
    convention("operator.tekton.dev/operand-name", Namespace::Any, ""),
];

/// The objects that manage one with this metadata.
pub(super) fn managers(resource: &str, metadata: &Metadata<'_>) -> SmallVec<[ManagedBy; 1]> {
    let value = |key: &str| {
        let get = |pairs: &Option<Pairs<'_>>| pairs.as_ref().and_then(|pairs| pairs.get(key).map(str::to_owned));
        get(&metadata.labels).or_else(|| get(&metadata.annotations)).filter(|value| !value.is_empty())
    };
    let mut found = SmallVec::new();
    if resource == "persistentvolumeclaims" {
        found.extend(sets_of_claim(metadata));
    }
    if metadata.labels.is_none() && metadata.annotations.is_none() {
        return found;
    }
    for convention in &CONVENTIONS {
        let Some(name) = value(convention.name) else { continue };
        // Whatever follows the application in a tracking id is the object itself.
        let name = name.split(':').next().unwrap_or_default();
        let namespace = match convention.namespace {
            Namespace::In(key) => value(key).map(Into::into),
            Namespace::Own => Some(metadata.namespace.as_ref().into()),
            Namespace::Any => None,
        };
        let is_itself = name == metadata.name && namespace.as_deref() == Some(metadata.namespace.as_ref());
        if found.len() < MAX_MANAGERS && !is_itself {
            found.push(ManagedBy { kind: convention.kind.into(), namespace, name: name.into() });
        }
    }
    found
}

/// The StatefulSets whose claim it may be: `data-ledger-0` is of a template `data` of the set `ledger`.
fn sets_of_claim<'a>(metadata: &'a Metadata<'_>) -> impl Iterator<Item = ManagedBy> + 'a {
    let numbered = metadata.name.rsplit_once('-').filter(|(_, ordinal)| ordinal.parse::<u32>().is_ok());
    let before = numbered.map_or("", |(before, _)| before);
    let sets = before.match_indices('-').map(move |(dash, _)| &before[dash + 1..]).filter(|name| !name.is_empty());
    sets.take(MAX_MANAGERS).map(|name| ManagedBy {
        kind: "StatefulSet".into(),
        namespace: Some(metadata.namespace.as_ref().into()),
        name: name.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn managed(labels: &str, annotations: &str) -> Vec<(String, Option<String>, String)> {
        let json = format!(r#"{{"name":"web","namespace":"shop","labels":{labels},"annotations":{annotations}}}"#);
        let metadata: Metadata<'_> = serde_json::from_str(&json).unwrap();
        let text = |manager: ManagedBy| {
            (
                manager.kind.to_string(),
                manager.namespace.map(|namespace| namespace.to_string()),
                manager.name.to_string(),
            )
        };
        managers("deployments", &metadata).into_iter().map(text).collect()
    }

    #[test]
    fn a_claim_names_its_set() {
        let claim: Metadata<'_> = serde_json::from_str(r#"{"name":"data-my-db-12","namespace":"shop"}"#).unwrap();
        let sets = managers("persistentvolumeclaims", &claim);
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["my-db", "db"]);
        let plain: Metadata<'_> = serde_json::from_str(r#"{"name":"backup","namespace":"shop"}"#).unwrap();
        assert!(managers("persistentvolumeclaims", &plain).is_empty());
    }

    #[test]
    fn each_tool_says_who_manages_in_its_own_way() {
        let flux =
            r#"{"kustomize.toolkit.fluxcd.io/name":"apps","kustomize.toolkit.fluxcd.io/namespace":"flux-system"}"#;
        let found = |kind: &str, namespace: Option<&str>, name: &str| {
            vec![(kind.to_owned(), namespace.map(str::to_owned), name.to_owned())]
        };
        assert_eq!(managed(flux, "{}"), found("Kustomization", Some("flux-system"), "apps"));
        let argo = r#"{"argocd.argoproj.io/tracking-id":"guestbook:apps/Deployment:shop/web"}"#;
        assert_eq!(managed("{}", argo), found("Application", None, "guestbook"));
        let issued = r#"{"cert-manager.io/certificate-name":"site"}"#;
        assert_eq!(managed("{}", issued), found("Certificate", Some("shop"), "site"));
        assert_eq!(managed("{}", "{}"), []);
    }
}
