//! What a process has used, as the kernel counts it.

use std::time::Duration;

use anyhow::Context;

/// Linux tells CPU times in hundredths of a second, whatever its own clock.
const MILLIS_PER_TICK: u64 = 10;

/// A process that is measured from outside.
#[derive(Debug, Clone, Copy)]
pub struct Process(pub u32);

/// What a process used.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// Its own CPU time, in user and kernel.
    pub cpu: Duration,
    /// The most memory that it ever held, in bytes.
    pub peak: u64,
}

impl Process {
    /// What it used until now.
    pub fn usage(self) -> anyhow::Result<Usage> {
        let read = |file: &str| {
            let path = format!("/proc/{}/{file}", self.0);
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}: is the server still there?"))
        };
        let stat = read("stat")?;
        // The name, in parentheses, may hold spaces; the numbers follow it.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        let cpu = Duration::from_millis((ticks(11) + ticks(12)) * MILLIS_PER_TICK);
        let status = read("status")?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak =
            peak.and_then(|text| text.trim().strip_suffix(" kB")).and_then(|text| text.trim().parse::<u64>().ok());
        Ok(Usage { cpu, peak: peak.unwrap_or_default() * 1024 })
    }
}
