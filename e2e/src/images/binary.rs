//! The static binaries that images hold, built with the caller's own Rust.

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

/// clew's binary; cargo knows whether it must be built again.
pub(crate) fn clew(tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    tell("building clew as a static binary, for its image");
    build("clew-cli", "clew")
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
