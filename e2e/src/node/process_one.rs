//! Process 1 of a cluster: reaps what others leave, and leaves when the keeper is gone.
//!
//! When it leaves, for whatever reason, the kernel ends every process inside, and with them every mount, interface
//! and firewall rule. So it does as little as possible, and the work is the starter's.

use std::io::Read as _;
use std::process::{Command, Stdio};

use rustix::process::{Pid, WaitOptions, wait};

use crate::folders::RunDir;
use crate::helper::{HELPER, Role};
use crate::{Error, Result};

/// Runs the starter and reaps until it ends.
pub(crate) fn init(run: &RunDir) -> Result<()> {
    leave_with_keeper();
    let program = std::env::current_exe().map_err(Error::file("find", "the harness's own program"))?;
    let starter = Command::new(program)
        .args([HELPER, Role::Start.word()])
        .arg(run.path())
        .stdin(Stdio::null())
        .spawn()
        .map_err(|source| Error::Start { program: "the starter".to_owned(), source })?;
    let starter = Pid::from_child(&starter);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, _))) if pid == starter => return Ok(()),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Error::file("wait for", "the cluster's processes")(error.into())),
        }
    }
}

/// The keeper holds the other end of standard input: its end is the keeper's end.
fn leave_with_keeper() {
    std::thread::spawn(|| {
        let mut ignored = [0_u8; 64];
        while matches!(std::io::stdin().read(&mut ignored), Ok(1..)) {}
        std::process::exit(0);
    });
}
