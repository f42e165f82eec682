//! How a log is kept.

use std::path::PathBuf;

/// When something counts as safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// On the disk: it survives the machine.
    #[default]
    Fsync,
    /// With the operating system: it survives the process.
    Os,
}

/// How a log is kept.
#[derive(Debug, Clone)]
pub struct LogOptions {
    /// The folder of its segments.
    pub folder: PathBuf,
    /// When something counts as safe.
    pub durability: Durability,
    /// How large a segment grows.
    pub segment_bytes: u64,
    /// How many bytes may wait to be written; more is refused.
    pub queue_bytes: usize,
}
