//! Which journey somebody means.

use clew_weave::Journey;

/// An object as people type it, or the beginning of an id.
pub(super) enum Wanted<'a> {
    /// The last journey that began with this object.
    Object {
        /// `deploy`, `deployment`, `deployments`.
        kind: String,
        /// Its name.
        name: &'a str,
        /// Its namespace, if that was said.
        namespace: Option<&'a str>,
    },
    /// The one journey whose id begins so, or that has a native trace of this id.
    Id(String),
}

impl<'a> Wanted<'a> {
    /// Reads what somebody typed.
    pub(super) fn read(what: &'a str, namespace: Option<&'a str>) -> Self {
        match what.split_once('/') {
            Some((kind, name)) => Self::Object { kind: kind.to_ascii_lowercase(), name, namespace },
            None => Self::Id(what.to_ascii_lowercase()),
        }
    }

    /// Whether that is meant.
    pub(super) fn is(&self, journey: &Journey) -> bool {
        match self {
            Self::Object { kind, name, namespace } => {
                let root = &journey.root;
                let right_place = namespace.is_none_or(|namespace| root.namespace == namespace);
                right_place && root.name == *name && is_kind(kind, &root.resource)
            }
            Self::Id(id) => {
                journey.journey.to_string().starts_with(id)
                    || journey.segments.iter().any(|segment| segment.to_string() == *id)
            }
        }
    }
}

/// Whether what a person typed means the resource: `deploy`, `deployment`, `deployments`.
fn is_kind(typed: &str, resource: &str) -> bool {
    let short = match typed {
        "deploy" => "deployments",
        "rs" => "replicasets",
        "sts" => "statefulsets",
        "ds" => "daemonsets",
        "po" => "pods",
        "svc" => "services",
        "ns" => "namespaces",
        "cm" => "configmaps",
        "pvc" => "persistentvolumeclaims",
        "pv" => "persistentvolumes",
        "cj" => "cronjobs",
        "hpa" => "horizontalpodautoscalers",
        "sa" => "serviceaccounts",
        other => other,
    };
    resource == short || resource.strip_suffix('s') == Some(short) || resource.strip_suffix("es") == Some(short)
}
