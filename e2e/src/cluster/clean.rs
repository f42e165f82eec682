//! Removes what a cluster left: one way for `down`, for a crash and for the next `up`.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

use super::{Name, processes};
use crate::folders::RunDir;
use crate::node::cgroups;
use crate::{Error, Result};

/// How long the kernel may take to end a cluster's processes.
const PATIENCE: Duration = Duration::from_secs(20);
const STEP: Duration = Duration::from_millis(20);

/// Whether a keeper watches over the cluster.
pub(crate) fn is_alive(run: &RunDir) -> bool {
    let Ok(file) = File::open(run.alive()) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Keeps others from bringing the cluster up or down for as long as the file lives.
pub(crate) fn hold(run: &RunDir) -> Result<File> {
    let path = run.path().with_extension("lock");
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    let file = File::create(&path).map_err(Error::file("create", &path))?;
    file.lock().map_err(Error::file("lock", &path))?;
    Ok(file)
}

/// Ends every process of the cluster and removes its cgroups; its folder stays.
pub(crate) fn end(run: &RunDir, name: &Name) -> Result<()> {
    // Without its process 1 nothing inside lives on; the keeper then removes the cgroups and leaves by itself.
    if let Some(init) = processes::init(run) {
        processes::kill(init);
    }
    let left = |what: String| Error::LeftBehind { name: name.to_string(), left: what };
    let start = Instant::now();
    while !processes::helpers(run).is_empty() {
        if start.elapsed() > PATIENCE / 2 {
            for helper in processes::helpers(run) {
                processes::kill(helper.pid);
            }
        }
        if start.elapsed() > PATIENCE {
            return Err(left(format!("processes {:?}", processes::helpers(run))));
        }
        std::thread::sleep(STEP);
    }
    cgroups::remove(name)
}

/// Removes the cluster's folder.
pub(crate) fn forget(run: &RunDir) -> Result<()> {
    match std::fs::remove_dir_all(run.path()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file("remove", run.path())(error)),
        _ => Ok(()),
    }
}
