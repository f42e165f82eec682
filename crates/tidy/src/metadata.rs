//! What `cargo metadata` knows about our crates and what they depend on.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// The resolved graph for Linux, which is where clew runs.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Every package in the graph.
    pub packages: Vec<Package>,
    /// The ids of our own packages.
    pub workspace_members: Vec<String>,
}

/// A package: one of ours, or one that we depend on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Package {
    /// What cargo calls it in the graph.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its SPDX licence expression.
    pub license: Option<String>,
    /// Where it comes from; none for a path.
    pub source: Option<String>,
    /// Where its Cargo.toml is.
    pub manifest_path: String,
    /// Where it may be published: an empty list is nowhere.
    pub publish: Option<Vec<String>>,
    /// What it depends on.
    pub dependencies: Vec<Dependency>,
}

/// One line of a package's dependencies.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Dependency {
    /// The name of the package.
    pub name: String,
    /// `dev`, `build`, or none for a normal one.
    pub kind: Option<String>,
}

impl Package {
    /// Whether it may be published.
    pub fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }
}

impl Dependency {
    /// Whether it is for tests only.
    pub fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

const LINUX: &str = "x86_64-unknown-linux-gnu";

impl Metadata {
    /// Asks cargo.
    pub fn read(root: &Path) -> Result<Self, String> {
        let platform = format!("--filter-platform={LINUX}");
        let json = cargo(root, &["metadata", "--format-version=1", "--locked", "--all-features", &platform])?;
        let mut metadata: Self =
            serde_json::from_str(&json).map_err(|error| format!("cannot read cargo metadata: {error}"))?;
        // Metadata also lists what only a feature that nobody enables would need; the tree does not.
        let target = format!("--target={LINUX}");
        let tree = ["tree", "--locked", "--workspace", "--all-features", &target, "--prefix=none", "--format={p}"];
        let used = used(&cargo(root, &tree)?);
        metadata.packages.retain(|package| used.contains(&(package.name.clone(), package.version.clone())));
        Ok(metadata)
    }

    /// Our own packages.
    pub fn ours(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// The packages of others.
    pub fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| !self.workspace_members.contains(&package.id))
    }
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo {} failed: {}", arguments[0], String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The names and versions in the lines of `cargo tree`: `serde v1.0.229 (proc-macro)`.
fn used(tree: &str) -> BTreeSet<(String, String)> {
    let mut used = BTreeSet::new();
    for line in tree.lines() {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next(), words.next().and_then(|version| version.strip_prefix('v')));
        if let (Some(name), Some(version)) = (name, version) {
            used.insert((name.to_owned(), version.to_owned()));
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_names_each_package_with_its_version() {
        let tree =
            "clew-cli v0.1.0 (/home/me/clew/crates/cli)\nserde v1.0.229 (*)\n\n[dev-dependencies]\nproptest v1.12.0\n";
        let names: Vec<_> = used(tree).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["clew-cli", "proptest", "serde"]);
    }
}
