//! The binaries that images hold, built with the caller's own Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::archive::hex;
use crate::{Error, Result, folders, shell};

/// The workload's binary, built only when its sources changed.
pub(crate) fn workload(tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    let sources = folders::repository().join("e2e/workload");
    let target = folders::cache()?.join("images").join(format!("workload-{}", fingerprint(&sources)?));
    if target.is_file() {
        return Ok(target);
    }
    tell("building the test workload: its image is not in the cache yet");
    let built = build("clew-workload", "clew-workload")?;
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    std::fs::copy(&built, &target).map_err(Error::file("copy", &built))?;
    Ok(target)
}

/// clew as it was last built beside this program; built now if it never was.
///
/// `CLEW_BINARY` names another. Not built each time: what a test run has built would be built again with other features.
pub fn clew(tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CLEW_BINARY") {
        return Ok(named.into());
    }
    let own = std::env::current_exe().map_err(Error::file("find", Path::new("this program")))?;
    let beside = own.ancestors().skip(1).take(2).map(|folder| folder.join("clew")).find(|path| path.is_file());
    if let Some(beside) = beside {
        return Ok(beside);
    }
    tell("building clew: it is not beside this program yet");
    let folder = own.ancestors().find(|folder| folder.ends_with("debug") || folder.ends_with("release"));
    let target = folder.and_then(Path::parent).map_or_else(|| folders::repository().join("target"), Path::to_owned);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folders::repository()).args(["build", "--quiet", "--package", "clew-cli", "--target-dir"]);
    shell::run_visibly(command.arg(&target))?;
    Ok(target.join("debug").join("clew"))
}

/// The shared libraries that a binary needs, and the loader that finds them, by their paths.
pub(crate) fn libraries(binary: &Path) -> Result<Vec<PathBuf>> {
    let listed = shell::run(Command::new("ldd").arg(binary))?;
    // `libc.so.6 => /lib/libc.so.6 (0x7f…)` or, for the loader, `/lib64/ld-linux.so.2 (0x7f…)`.
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    Ok(listed.lines().filter_map(path).collect())
}

/// A copy of a binary without what only debuggers read: an image is loaded in a moment then.
pub(crate) fn stripped(binary: &Path) -> Result<PathBuf> {
    // Of this process alone: another may pack another build at the same time.
    let copy = folders::cache()?.join("images").join(format!("clew-stripped-{}", std::process::id()));
    if let Some(folder) = copy.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    shell::run(Command::new("strip").arg("-o").arg(&copy).arg(binary))?;
    Ok(copy)
}

/// A folder of its own for these builds: they use other flags, and would rebuild the user's own.
fn build(package: &str, binary: &str) -> Result<PathBuf> {
    let folder = folders::cache()?.join("static");
    let triple = host_triple()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folders::repository()).env("RUSTFLAGS", "-C target-feature=+crt-static -C strip=symbols");
    command.args(["build", "--quiet", "--release", "--package", package, "--bin", binary, "--target", &triple]);
    shell::run_visibly(command.arg("--target-dir").arg(&folder))?;
    Ok(folder.join(triple).join("release").join(binary))
}

fn host_triple() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = shell::run(Command::new(rustc).arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Error::Unfit("rustc -vV names no host".to_owned()))
}

fn fingerprint(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(std::fs::read(&file).map_err(Error::file("read", &file))?);
    }
    Ok(hex(&hash.finalize())[..12].to_owned())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(Error::file("read", folder))? {
        let path = entry.map_err(Error::file("read", folder))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
