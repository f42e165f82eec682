//! The lints are on everywhere, and what is allowed says why.

use crate::sources::Source;

/// Crates of the workspace that do not take its lints, `unsafe_code = "forbid"` among them.
pub fn not_inherited(sources: &[Source]) -> Vec<String> {
    let manifests = sources.iter().filter(|source| {
        let ours = ["crates/", "xtask/", "e2e/"].iter().any(|folder| source.path.starts_with(folder));
        ours && source.path.ends_with("/Cargo.toml")
    });
    manifests
        .filter(|manifest| !manifest.text.contains("[lints]\nworkspace = true"))
        .map(|manifest| format!("{}: add [lints] workspace = true", manifest.path))
        .collect()
}

/// `allow` and `expect` attributes that do not say why.
pub fn unexplained(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        let lines: Vec<&str> = source.text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            if is_allowance(line) && !attribute(&lines[number..]).contains("reason = ") {
                faults.push(format!("{}:{}: give the allowance a reason = \"…\"", source.path, number + 1));
            }
        }
    }
    faults
}

fn is_allowance(line: &str) -> bool {
    ["#[allow(", "#![allow(", "#[expect(", "#![expect("].iter().any(|start| line.trim_start().starts_with(start))
}

/// The attribute that begins on the first of the lines.
fn attribute(lines: &[&str]) -> String {
    let end = lines.iter().position(|line| line.trim_end().ends_with(")]")).unwrap_or(0);
    lines[..=end].concat()
}

/// Differences between the root's `clippy.toml` and those of the pure crates, which must hold all of it.
pub fn clippy_files(root: &str, pure: &[Source]) -> Vec<String> {
    let rules = root.lines().filter(|line| !line.starts_with('#') && *line != "]");
    let mut faults = Vec::new();
    for rule in rules {
        for file in pure.iter().filter(|file| !file.text.lines().any(|line| line == rule)) {
            faults.push(format!("{}: lacks a line of the root's clippy.toml: {rule}", file.path));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_the_lints_is_a_fault() {
        let sources = [
            Source::new("crates/a/Cargo.toml", "[lints]\nworkspace = true\n"),
            Source::new("crates/b/Cargo.toml", "[package]\n"),
            Source::new("fuzz/Cargo.toml", "[package]\n"),
        ];
        assert_eq!(not_inherited(&sources), ["crates/b/Cargo.toml: add [lints] workspace = true"]);
    }

    #[test]
    fn an_allowance_without_a_reason_is_a_fault() {
        let text = "#[allow(dead_code)]\nfn a() {}\n#[allow(\n    dead_code,\n    reason = \"why\"\n)]\n#[expect(x, reason = \"y\")]\n";
        assert_eq!(unexplained(&[Source::new("a.rs", text)]), ["a.rs:1: give the allowance a reason = \"…\""]);
    }

    #[test]
    fn the_files_of_the_pure_crates_hold_the_roots() {
        let root = "# x\na = 1\nb = [\n    1,\n]\n";
        let good = Source::new("good", "# y\na = 1\nb = [\n    1,\n    2,\n]\n");
        let bad = Source::new("bad", "a = 2\nb = [\n]\n");
        assert!(clippy_files(root, &[good]).is_empty());
        assert_eq!(clippy_files(root, &[bad]).len(), 2);
    }
}
