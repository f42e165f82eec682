//! Finds the harness's own processes by what they were started with, so that no pid file can be stale.

use rustix::process::{Pid, Signal, kill_process};

use crate::folders::RunDir;
use crate::helper::{HELPER, Role};

/// A helper process of one cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Helper {
    pub(crate) pid: Pid,
    pub(crate) role: Role,
    /// It is `unshare`, which starts the helper and waits for it.
    pub(crate) wrapped: bool,
}

/// The helper processes of the cluster whose folder is `run`.
pub(crate) fn helpers(run: &RunDir) -> Vec<Helper> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| helper(pid, run)).collect()
}

/// Process 1 of the cluster, as numbered outside.
pub(crate) fn init(run: &RunDir) -> Option<Pid> {
    let found = helpers(run);
    found.iter().find(|helper| helper.role == Role::Init && !helper.wrapped).map(|helper| helper.pid)
}

/// Ends a process at once; one that is gone already is what was wanted.
pub(crate) fn kill(pid: Pid) {
    let _ = kill_process(pid, Signal::KILL);
}

fn helper(pid: i32, run: &RunDir) -> Option<Helper> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let (role, wrapped) = parse(&line, run)?;
    Some(Helper { pid: Pid::from_raw(pid)?, role, wrapped })
}

fn parse(line: &[u8], run: &RunDir) -> Option<(Role, bool)> {
    let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
    let at = words.iter().position(|word| *word == HELPER.as_bytes())?;
    let role = Role::from_word(std::str::from_utf8(words.get(at + 1)?).ok()?)?;
    let path = *words.get(at + 2)?;
    (path == run.path().as_os_str().as_encoded_bytes()).then_some((role, at > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_helpers_of_this_folder_are_found() {
        let run = RunDir::at("/a/b");
        let found = |line: &str| parse(line.replace(' ', "\0").as_bytes(), &run);
        assert_eq!(found("xtask cluster-helper init /a/b "), Some((Role::Init, false)));
        assert_eq!(found("unshare --pid xtask cluster-helper init /a/b "), Some((Role::Init, true)));
        assert_eq!(found("xtask cluster-helper init /a/bc "), None);
        assert_eq!(found("grep cluster-helper "), None);
        assert_eq!(found("kubelet --root-dir=/a/b/state "), None);
    }
}
