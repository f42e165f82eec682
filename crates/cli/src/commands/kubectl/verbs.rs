//! Which commands of kubectl write.

use std::ffi::OsString;

/// Commands that ask for changes. `exec`, `attach` and `cp` change what runs in a container, not the cluster.
const WRITING: [&str; 20] = [
    "annotate",
    "apply",
    "autoscale",
    "cordon",
    "create",
    "debug",
    "delete",
    "drain",
    "edit",
    "expose",
    "label",
    "patch",
    "replace",
    "rollout",
    "run",
    "scale",
    "set",
    "taint",
    "uncordon",
    "certificate",
];
/// `rollout history` and `rollout status` only read.
const READING: [(&str, &str); 2] = [("rollout", "history"), ("rollout", "status")];

/// Whether a command line asks for changes: its first word says so.
pub(super) fn writes(command: &[OsString]) -> bool {
    let mut words = command.iter().filter_map(|word| word.to_str()).filter(|word| !word.starts_with('-'));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    WRITING.contains(&first) && !READING.contains(&(first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_is_not_taken_for_a_write() {
        let line = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        for text in ["apply -f x.yaml", "rollout restart deploy/web", "delete ns shop", "set image deploy/web a=b"] {
            assert!(writes(&line(text)), "{text}");
        }
        for text in ["get pods", "rollout status deploy/web", "logs web", "exec -it web -- sh", "version", ""] {
            assert!(!writes(&line(text)), "{text}");
        }
    }
}
