//! `~/.kube/config` for those who have none: a link to the cluster's, said aloud, and removed with the cluster.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Links `~/.kube/config` to `kubeconfig` if the user has no configuration at all.
pub(super) fn link(kubeconfig: &Path) -> Result<()> {
    let Some(path) = place() else { return Ok(()) };
    // A link whose target is gone is one that an earlier cluster left when it was killed.
    let dangling = path.is_symlink() && !path.exists();
    if std::env::var_os("KUBECONFIG").is_some() || (path.exists() && !dangling) {
        return Ok(());
    }
    if dangling {
        std::fs::remove_file(&path).map_err(Error::file("remove", &path))?;
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    std::os::unix::fs::symlink(kubeconfig, &path).map_err(Error::file("link", &path))?;
    eprintln!("you had no {0}: it is now a link to this cluster's, until the cluster is down", path.display());
    Ok(())
}

/// Removes `~/.kube/config` if it is the link to `kubeconfig` that [`link`] made.
pub(super) fn unlink(kubeconfig: &Path) -> Result<()> {
    let Some(path) = place() else { return Ok(()) };
    if std::fs::read_link(&path).is_ok_and(|target| target == kubeconfig) {
        std::fs::remove_file(&path).map_err(Error::file("remove", &path))?;
    }
    Ok(())
}

fn place() -> Option<PathBuf> {
    std::env::var_os("HOME").map(|home| Path::new(&home).join(".kube/config"))
}
