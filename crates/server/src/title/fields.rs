//! What each changed field is about, by its path.

use clew_weave::FieldDiff;

/// How much of a value a title shows.
const MAX_VALUE: usize = 48;

/// A field that changed, by what it means to a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Written by tools for themselves.
    Noise,
    Replicas,
    Restart,
    Image,
    Env(String),
    Paused,
    Suspend,
    Unschedulable,
    Taints,
    Label(String),
    Annotation(String),
    /// All labels or annotations at once: there were none, or there are none left.
    Labels,
    Annotations,
    Other,
}

/// What a field means.
pub(super) fn meaning(field: &FieldDiff) -> Meaning {
    let path = field.path.as_str();
    let restarted = "kubectl.kubernetes.io/restartedAt";
    if path.contains(restarted) || field.after.as_deref().is_some_and(|after| after.contains(restarted)) {
        return Meaning::Restart;
    }
    if is_noise(path) {
        return Meaning::Noise;
    }
    if let Some(name) = key_under(path, ".env") {
        return Meaning::Env(name);
    }
    match path {
        "spec.replicas" => Meaning::Replicas,
        "spec.paused" => Meaning::Paused,
        "spec.suspend" => Meaning::Suspend,
        "spec.unschedulable" => Meaning::Unschedulable,
        "labels" => Meaning::Labels,
        "annotations" => Meaning::Annotations,
        _ if path.starts_with("spec.taints") => Meaning::Taints,
        _ if path.starts_with("spec.") && path.rsplit('.').next() == Some("image") => Meaning::Image,
        _ => match (top_key(path, "labels"), top_key(path, "annotations")) {
            (Some(key), _) => Meaning::Label(key),
            (_, Some(key)) => Meaning::Annotation(key),
            _ => Meaning::Other,
        },
    }
}

fn is_noise(path: &str) -> bool {
    const KEYS: [&str; 6] = [
        "kubectl.kubernetes.io/last-applied-configuration",
        "deprecated.daemonset.template.generation",
        "deployment.kubernetes.io/revision",
        "kubernetes.io/change-cause",
        "meta.helm.sh/",
        "kopf.zalando.org/last-handled-configuration",
    ];
    path.starts_with("annotations") && KEYS.iter().any(|key| path.contains(key))
}

/// `RELEASE` of `spec.template.spec.containers[0].env[RELEASE]`.
fn key_under(path: &str, list: &str) -> Option<String> {
    let (_, rest) = path.rsplit_once(list)?;
    let key = rest.strip_prefix('[')?.strip_suffix(']')?;
    (!key.contains(']')).then(|| key.to_owned())
}

/// `team` of `labels.team` and `a.b/c` of `labels[a.b/c]`.
fn top_key(path: &str, map: &str) -> Option<String> {
    let rest = path.strip_prefix(map)?;
    let bracketed = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    bracketed.or_else(|| rest.strip_prefix('.')).map(str::to_owned)
}

/// A value as a title shows it; none if it must not or cannot be shown.
pub(super) fn value(value: Option<&str>) -> Option<String> {
    let is_large = |value: &str| value.starts_with(['{', '[']) && value.len() > MAX_VALUE;
    let value = value.filter(|value| !value.contains("redacted:") && !value.contains('\n') && !is_large(value))?;
    if value.chars().count() <= MAX_VALUE {
        return Some(value.to_owned());
    }
    Some(value.chars().take(MAX_VALUE - 1).chain(['…']).collect())
}
