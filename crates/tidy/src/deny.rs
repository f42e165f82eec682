//! Licences, sources and duplicate versions of what we depend on, after the rules in `deny.toml`.
//!
//! `cargo deny` reads the same file, so the two cannot disagree; this check needs no network.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::metadata::{Metadata, Package};

/// What this check uses of `deny.toml`.
#[derive(Debug, Deserialize)]
pub struct Rules {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Debug, Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    #[serde(default)]
    skip: Vec<Skip>,
}

#[derive(Debug, Deserialize)]
struct Skip {
    #[serde(rename = "crate")]
    spec: String,
    reason: String,
}

impl Rules {
    /// Reads the text of `deny.toml`.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("deny.toml: {error}"))
    }
}

/// Packages whose licence is not on the list, and licences on the list that no package has.
pub fn licences(metadata: &Metadata, rules: &Rules) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for package in metadata.others() {
        let text = package.license.as_deref().unwrap_or_default();
        let Ok(expression) = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX) else {
            faults.push(format!("{}: cannot read its licence {text:?}: use another crate", package.name));
            continue;
        };
        seen.extend(expression.requirements().map(|requirement| requirement.req.to_string()));
        if !expression.evaluate(|requirement| rules.licenses.allow.contains(&requirement.to_string())) {
            faults.push(format!(
                "{}: its licence {text:?} is not allowed: use another crate, or add the licence to deny.toml with its reason",
                package.name
            ));
        }
    }
    let unused = rules.licenses.allow.iter().filter(|licence| !seen.contains(*licence));
    faults.extend(unused.map(|licence| format!("deny.toml: no package has the licence {licence}: remove it")));
    faults
}

/// Packages that come from anywhere but crates.io or this repository.
pub fn sources(metadata: &Metadata) -> Vec<String> {
    let is_crates_io =
        |package: &&Package| package.source.as_deref() == Some("registry+https://github.com/rust-lang/crates.io-index");
    let elsewhere = metadata.others().filter(|package| !is_crates_io(package));
    elsewhere
        .map(|package| format!("{}: comes from {:?}: use a release on crates.io", package.name, package.source))
        .collect()
}

/// Packages in several versions, and exceptions that are no longer needed or lack a reason.
pub fn duplicates(metadata: &Metadata, rules: &Rules) -> Vec<String> {
    let mut faults = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    for skip in &rules.bans.skip {
        let (name, version) = skip.spec.split_once('@').unwrap_or((&skip.spec, ""));
        let known = versions.get_mut(name).filter(|versions| versions.len() > 1);
        let before = known.as_ref().map_or(0, |versions| versions.len());
        let after = known.map_or(0, |versions| {
            versions.retain(|found| !is_version(found, version));
            versions.len()
        });
        if before == after {
            faults.push(format!("deny.toml: {} is there only once: remove its exception", skip.spec));
        }
        if skip.reason.split_whitespace().count() < 3 {
            faults.push(format!("deny.toml: {}: say the reason in a few words", skip.spec));
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    faults.extend(several.map(|(name, versions)| {
        let versions = versions.iter().copied().collect::<Vec<_>>().join(" and ");
        format!("{name}: in versions {versions}: align them, or skip one in deny.toml with its reason")
    }));
    faults
}

/// Whether a version is the one named, or begins with it: `0.1` names `0.1.7`.
fn is_version(found: &str, named: &str) -> bool {
    found == named || found.strip_prefix(named).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn metadata(packages: &[(&str, &str, &str)]) -> Metadata {
        let package = |(name, version, license): &(&str, &str, &str)| Package {
            name: (*name).into(),
            version: (*version).into(),
            license: Some((*license).into()),
            source: Some(CRATES_IO.into()),
            ..Package::default()
        };
        Metadata { packages: packages.iter().map(package).collect(), workspace_members: Vec::new() }
    }

    fn rules(allow: &str, skip: &str) -> Rules {
        Rules::parse(&format!("[licenses]\nallow = [{allow}]\n[bans]\nskip = [{skip}]\n")).unwrap()
    }

    #[test]
    fn a_licence_that_is_not_allowed_is_a_fault() {
        let metadata = metadata(&[
            ("a", "1.0.0", "MIT OR GPL-3.0"),
            ("b", "1.0.0", "MIT/Apache-2.0"),
            ("c", "1.0.0", "MIT AND GPL-3.0"),
            ("d", "1.0.0", "nonsense"),
        ]);
        let faults = licences(&metadata, &rules("\"MIT\"", ""));
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].starts_with("c: ") && faults[1].starts_with("d: "));
    }

    #[test]
    fn a_licence_that_nobody_has_is_a_fault() {
        let faults = licences(&metadata(&[("a", "1.0.0", "MIT")]), &rules("\"MIT\", \"ISC\"", ""));
        assert_eq!(faults, ["deny.toml: no package has the licence ISC: remove it"]);
    }

    #[test]
    fn a_package_from_elsewhere_is_a_fault() {
        let mut metadata = metadata(&[("a", "1.0.0", "MIT"), ("b", "1.0.0", "MIT")]);
        assert!(sources(&metadata).is_empty());
        metadata.packages[1].source = Some("git+https://example.com/b".into());
        assert_eq!(sources(&metadata).len(), 1);
    }

    #[test]
    fn a_duplicate_is_a_fault_until_it_is_excepted() {
        let twice = metadata(&[("a", "1.0.0", "MIT"), ("a", "0.2.7", "MIT")]);
        assert_eq!(duplicates(&twice, &rules("", "")).len(), 1);
        let skip = r#"{ crate = "a@0.2", reason = "b still needs it" }"#;
        assert_eq!(duplicates(&twice, &rules("", skip)), Vec::<String>::new());
        let once = metadata(&[("a", "1.0.0", "MIT")]);
        assert_eq!(duplicates(&once, &rules("", skip)).len(), 1);
        let unexplained = r#"{ crate = "a@0.2", reason = "needed" }"#;
        assert_eq!(duplicates(&twice, &rules("", unexplained)).len(), 1);
    }
}
