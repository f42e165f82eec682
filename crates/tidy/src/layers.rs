//! Who may depend on whom: the table of ARCHITECTURE.md.

use crate::metadata::{Dependency, Metadata, Package};
use crate::sources::Source;

/// The crates from the top to the bottom; dependencies point down only.
const LAYERS: [&str; 11] = [
    "clew-cli",
    "clew-server",
    "clew-collect",
    "clew-node",
    "clew-steps",
    "clew-store",
    "clew-weave",
    "clew-operator",
    "clew-instrument",
    "clew-model",
    "clew-testkit",
];

/// Crates for our own work: they may use anything, and nothing that ships may use them.
const TOOLS: [&str; 6] = ["xtask", "clew-bench", "clew-e2e", "clew-fuzz-targets", "clew-tidy", "clew-workload"];

/// The crate that tests share.
const TESTKIT: &str = "clew-testkit";

/// Packages that a crate must not name, and why.
const FORBIDDEN: [(&str, &[&str], &str); 5] = [
    ("clew-model", &["tokio", "axum", "hyper", "kube", "rand", "futures"], "model is pure (invariant 1)"),
    ("clew-weave", &["tokio", "axum", "hyper", "kube", "rand", "futures"], "weave is pure (invariant 1)"),
    ("clew-instrument", &["kube", "kube-client", "kube-runtime", "k8s-openapi"], "instrument serves any component"),
    ("clew-steps", &["kube", "kube-client", "kube-runtime", "k8s-openapi"], "steps knows no Kubernetes client"),
    ("clew-store", &["axum", "tonic", "hyper"], "store sees no socket of clew's"),
];

/// The OpenTelemetry SDK, which one crate wraps (invariant 8).
const SDK: [&str; 4] = ["opentelemetry", "opentelemetry_sdk", "opentelemetry-otlp", "tracing-opentelemetry"];
const SDK_OWNER: &str = "clew-instrument";

/// Dependencies that point the wrong way.
pub fn faults(metadata: &Metadata) -> Vec<String> {
    metadata.ours().flat_map(package_faults).collect()
}

fn package_faults(package: &Package) -> Vec<String> {
    let mut faults = Vec::new();
    let place = LAYERS.iter().position(|layer| *layer == package.name);
    if place.is_none() && !TOOLS.contains(&package.name.as_str()) {
        faults.push(format!(
            "{}: is in no layer: add it to LAYERS or TOOLS in crates/tidy/src/layers.rs and to ARCHITECTURE.md",
            package.name
        ));
    }
    for dependency in &package.dependencies {
        let reasons = [points_up(place, dependency), names_forbidden(package, dependency)];
        for reason in reasons.into_iter().flatten() {
            faults.push(format!("{} -> {}: {reason}", package.name, dependency.name));
        }
    }
    faults
}

fn points_up(place: Option<usize>, dependency: &Dependency) -> Option<String> {
    // Tests may look at the whole product.
    if dependency.is_dev() {
        return None;
    }
    let place = place?;
    if dependency.name == TESTKIT {
        return Some("testkit is for tests: make it a dev-dependency".to_owned());
    }
    if TOOLS.contains(&dependency.name.as_str()) {
        return Some("what ships uses no tool of ours: move the code down".to_owned());
    }
    let other = LAYERS.iter().position(|layer| *layer == dependency.name)?;
    (other <= place).then(|| "dependencies point down the list of ARCHITECTURE.md: move the code".to_owned())
}

fn names_forbidden(package: &Package, dependency: &Dependency) -> Option<String> {
    if SDK.contains(&dependency.name.as_str()) && package.name != SDK_OWNER {
        return Some("only instrument names the OpenTelemetry SDK (invariant 8): go through it".to_owned());
    }
    if dependency.is_dev() {
        return None;
    }
    let (_, _, reason) =
        FORBIDDEN.iter().find(|(name, names, _)| *name == package.name && names.contains(&dependency.name.as_str()))?;
    Some(format!("{reason}: do it in a crate above"))
}

/// Published crates that need an unpublished one.
pub fn published(metadata: &Metadata) -> Vec<String> {
    let is_unpublished = |name: &str| metadata.ours().any(|ours| ours.name == name && !ours.is_published());
    let mut faults = Vec::new();
    for package in metadata.ours().filter(|package| package.is_published()) {
        for dependency in package.dependencies.iter().filter(|dependency| !dependency.is_dev()) {
            if is_unpublished(&dependency.name) {
                faults.push(format!(
                    "{} -> {}: a published crate cannot need an unpublished one: move the code",
                    package.name, dependency.name
                ));
            }
        }
    }
    faults
}

/// Sources outside of instrument that name the SDK's crates.
pub fn sdk_in_sources(sources: &[Source]) -> Vec<String> {
    let outside = |source: &&Source| {
        source.is_rust() && !source.path.starts_with("crates/instrument/") && source.path != "crates/tidy/src/layers.rs"
    };
    let names = ["opentelemetry::", "opentelemetry_sdk::", "opentelemetry_otlp::"];
    sources
        .iter()
        .filter(outside)
        .filter(|source| source.text.lines().any(|line| names.iter().any(|name| names_crate(line, name))))
        .map(|source| {
            format!("{}: only instrument names the OpenTelemetry SDK (invariant 8): go through it", source.path)
        })
        .collect()
}

/// Whether the line names the crate itself, not a module or path of the same name.
fn names_crate(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(place, _)| {
        let before = line[..place].chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_' || before == ':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(name: &str, dependency: &str, kind: Option<&str>) -> Metadata {
        let dependency = Dependency { name: dependency.into(), kind: kind.map(Into::into) };
        let package =
            Package { id: name.into(), name: name.into(), dependencies: vec![dependency], ..Package::default() };
        Metadata { packages: vec![package], workspace_members: vec![name.into()] }
    }

    #[test]
    fn dependencies_point_down_only() {
        assert!(faults(&metadata("clew-cli", "clew-weave", None)).is_empty());
        assert!(faults(&metadata("clew-model", "serde", None)).is_empty());
        assert_eq!(faults(&metadata("clew-weave", "clew-collect", None)).len(), 1);
        assert!(faults(&metadata("clew-weave", "clew-collect", Some("dev"))).is_empty());
        assert_eq!(faults(&metadata("clew-weave", "xtask", None)).len(), 1);
        assert_eq!(faults(&metadata("clew-unheard-of", "serde", None)).len(), 1);
    }

    #[test]
    fn testkit_is_for_tests() {
        assert_eq!(faults(&metadata("clew-cli", "clew-testkit", None)).len(), 1);
        assert!(faults(&metadata("clew-cli", "clew-testkit", Some("dev"))).is_empty());
        assert!(faults(&metadata("clew-e2e", "clew-testkit", None)).is_empty());
    }

    #[test]
    fn only_instrument_names_the_sdk() {
        assert!(faults(&metadata("clew-instrument", "opentelemetry_sdk", None)).is_empty());
        assert_eq!(faults(&metadata("clew-server", "opentelemetry_sdk", None)).len(), 1);
        assert_eq!(faults(&metadata("clew-e2e", "opentelemetry", Some("dev"))).len(), 1);
        assert!(faults(&metadata("clew-collect", "opentelemetry-proto", None)).is_empty());
    }

    #[test]
    fn a_source_that_names_the_sdk_is_a_fault() {
        let sources = [
            Source::new("crates/instrument/src/lib.rs", "use opentelemetry_sdk::trace;"),
            Source::new("crates/node/src/lib.rs", "use opentelemetry_sdk::trace;"),
            Source::new("crates/collect/src/lib.rs", "use opentelemetry_proto::tonic; use proto::opentelemetry::x;"),
        ];
        let faults = sdk_in_sources(&sources);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("crates/node/"));
    }

    #[test]
    fn pure_crates_name_no_runtime() {
        assert_eq!(faults(&metadata("clew-weave", "tokio", None)).len(), 1);
        assert_eq!(faults(&metadata("clew-instrument", "kube", None)).len(), 1);
    }

    #[test]
    fn a_published_crate_needs_no_unpublished_one() {
        let mut metadata = metadata("clew-operator", "clew-testkit", None);
        let testkit =
            Package { id: "t".into(), name: "clew-testkit".into(), publish: Some(Vec::new()), ..Package::default() };
        metadata.packages.push(testkit);
        metadata.workspace_members.push("t".into());
        assert_eq!(published(&metadata).len(), 1);
    }
}
