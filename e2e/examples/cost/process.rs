//! A process, and what it takes.

use std::time::Duration;

use clew_e2e::Cluster;

/// A process by its number.
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// The process of a cluster that runs this program: its words name the cluster's folder.
    pub(crate) fn of_cluster(cluster: &Cluster, program: &str) -> Self {
        let folder = cluster.folder().path().display().to_string();
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let mut numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let is_it = |number: &u32| {
            let words = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            words.split('\0').next().is_some_and(|word| word.ends_with(program)) && words.contains(&folder)
        };
        Self(numbers.find(is_it).unwrap_or_else(|| panic!("no {program} runs in {folder}")))
    }

    /// The processor time that it took so far.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0)).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(ticks * 10)
    }

    /// Its memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.line("VmRSS:")
    }

    /// The most that its memory ever was, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.line("VmHWM:")
    }

    fn line(&self, mark: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(mark)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }
}
