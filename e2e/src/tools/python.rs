//! Python programs that scenes run, each set of requirements in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::images::hex;
use crate::{Error, Result, folders, shell};

/// The folder of the programs that `requirements` names; installed first if it is missing.
pub(crate) fn ensure(requirements: &Path, tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    let content = std::fs::read(requirements).map_err(Error::file("read", requirements))?;
    let target = folders::cache()?.join("python").join(&hex(&Sha256::digest(&content))[..12]);
    let (programs, done) = (target.join("bin"), target.join("done"));
    if done.is_file() {
        return Ok(programs);
    }
    tell(&format!("installing {} with pip: a scene needs it, and it is not in the cache", requirements.display()));
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&target))?;
    shell::run(Command::new(programs.join("pip")).args(["install", "--quiet", "--requirement"]).arg(requirements))?;
    folders::write(&done, "")?;
    Ok(programs)
}
