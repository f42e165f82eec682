//! What a cluster must not write to the machine is covered before anything starts, in its own mount namespace.

use std::ffi::CString;
use std::path::Path;

use rustix::mount::{MountFlags, mount, mount_bind};

use crate::folders::{RunDir, write};
use crate::{Error, Result};

/// What the kubelet sets for the whole machine unless it finds it set: (file below `/proc/sys`, value).
const TUNABLES: [(&str, &str); 6] = [
    ("vm/overcommit_memory", "1"),
    ("vm/panic_on_oom", "0"),
    ("kernel/panic", "10"),
    ("kernel/panic_on_oops", "1"),
    ("kernel/keys/root_maxkeys", "1000000"),
    ("kernel/keys/root_maxbytes", "25000000"),
];

/// Covers `/run`, `/var` and the machine's tunables, and puts the components' state on a tmpfs.
pub(crate) fn cover(run: &RunDir) -> Result<()> {
    let state = run.state();
    tmpfs(&state)?;
    tmpfs(Path::new("/run"))?;
    // Device plugin sockets, container log links and CNI results have fixed places below /var.
    overlay(Path::new("/var"), &state)?;
    for folder in ["tunables", "kubectl-cache"] {
        let path = state.join(folder);
        std::fs::create_dir(&path).map_err(Error::file("create", &path))?;
    }
    TUNABLES.iter().try_for_each(|(name, value)| show_tunable(name, value, &state))
}

fn tmpfs(path: &Path) -> Result<()> {
    mount("tmpfs", path, "tmpfs", MountFlags::empty(), c"mode=0755")
        .map_err(|error| Error::file("mount a tmpfs on", path)(error.into()))
}

fn overlay(path: &Path, state: &Path) -> Result<()> {
    let (upper, work) = (state.join("var"), state.join("var-work"));
    for folder in [&upper, &work] {
        std::fs::create_dir(folder).map_err(Error::file("create", folder))?;
    }
    let lower = path.display();
    let options = format!("lowerdir={lower},upperdir={},workdir={}", upper.display(), work.display());
    let options = CString::new(options).map_err(|error| Error::file("mount", path)(error.into()))?;
    mount("overlay", path, "overlay", MountFlags::empty(), options.as_c_str())
        .map_err(|error| Error::file("mount an overlay on", path)(error.into()))
}

/// Lets the kubelet read the value that it wants from a plain file, so that it leaves the machine's own alone.
fn show_tunable(name: &str, value: &str, state: &Path) -> Result<()> {
    let target = Path::new("/proc/sys").join(name);
    if !target.exists() {
        return Ok(());
    }
    let file = state.join("tunables").join(name.replace('/', "."));
    write(&file, format!("{value}\n"))?;
    mount_bind(&file, &target).map_err(|error| Error::file("cover", &target)(error.into()))
}
