//! ARCHITECTURE.md names every crate and every dependency, and nothing that is not there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::sources::Source;

#[derive(Deserialize)]
struct Manifest {
    workspace: Workspace,
}

#[derive(Deserialize)]
struct Workspace {
    dependencies: BTreeMap<String, toml::Value>,
}

/// Dependencies of the root's Cargo.toml that the map does not explain, and the other way round.
///
/// The map explains one in a row of a table whose first cell is the name in backticks.
pub fn dependencies(manifest: &str, map: &str) -> Result<Vec<String>, String> {
    let manifest: Manifest = toml::from_str(manifest).map_err(|error| format!("Cargo.toml: {error}"))?;
    let named = manifest.workspace.dependencies.iter();
    let wanted: BTreeSet<&str> =
        named.filter(|(_, value)| value.get("path").is_none()).map(|(name, _)| name.as_str()).collect();
    let explained = rows(map, "## Dependencies");
    let missing = wanted.difference(&explained);
    let stale = explained.difference(&wanted);
    let missing = missing.map(|name| format!("ARCHITECTURE.md: say under Dependencies why `{name}` is there"));
    let stale = stale.map(|name| format!("ARCHITECTURE.md: `{name}` is no dependency any more: remove its row"));
    Ok(missing.chain(stale).collect())
}

/// Folders of crates that the code map does not name, and folders in the code map that do not exist.
pub fn crates(folders: &BTreeSet<String>, sources: &[Source], map: &str) -> Vec<String> {
    let named = rows(map, "## Code map");
    let exists = |folder: &&str| sources.iter().any(|source| source.path.starts_with(&format!("{folder}/")));
    let gone = named.iter().filter(|folder| !exists(folder));
    let gone = gone.map(|folder| format!("ARCHITECTURE.md: `{folder}` is gone: remove its row from the code map"));
    let missing = folders.iter().filter(|folder| !named.contains(folder.as_str()));
    let missing = missing.map(|folder| format!("ARCHITECTURE.md: the code map lacks `{folder}`: say what lives there"));
    gone.chain(missing).collect()
}

/// The names in backticks that open the rows of the tables below a heading.
fn rows<'a>(map: &'a str, heading: &str) -> BTreeSet<&'a str> {
    let lines = map.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with("## "));
    let cells = section.filter_map(|line| line.strip_prefix("| ")).filter_map(|row| row.split(" |").next());
    cells.flat_map(|cell| cell.split(", ")).filter_map(|name| name.strip_prefix('`')?.strip_suffix('`')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "## Code map\n\n| `crates/a` | a |\n\n## Dependencies\n\n| `x`, `y` | why |\n| `old` | why |\n\n## More\n\n| `z` | no |\n";

    #[test]
    fn the_map_and_the_manifest_name_the_same_dependencies() {
        let manifest =
            "[workspace.dependencies]\nx = \"1\"\ny = { version = \"1\" }\nz = \"1\"\na = { path = \"a\" }\n";
        let faults = dependencies(manifest, MAP).unwrap();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("`z`") && faults[1].contains("`old`"));
    }

    #[test]
    fn a_crate_that_the_map_does_not_name_is_a_fault() {
        let folders = BTreeSet::from(["crates/a".to_owned(), "crates/b".to_owned()]);
        let sources = [Source::new("crates/a/src/lib.rs", "")];
        let faults = crates(&folders, &sources, MAP);
        assert_eq!(faults, ["ARCHITECTURE.md: the code map lacks `crates/b`: say what lives there"]);
        assert_eq!(crates(&BTreeSet::new(), &[], MAP).len(), 1);
    }
}
