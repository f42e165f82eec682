//! How a lake is kept.

use std::path::PathBuf;
use std::time::Duration;

use crate::log::Durability;

/// How a lake is kept. [`Options::at`] has what fits a laptop.
#[derive(Debug, Clone)]
pub struct Options {
    /// A local folder of its own: the log and the checkpoints, and the tables unless they are elsewhere.
    pub data: PathBuf,
    /// Where the tables are: a folder or `s3://bucket/prefix`; none for a folder beside the log.
    pub tables: Option<String>,
    /// What the object store needs to know: `aws_region`, `aws_endpoint`, `aws_access_key_id`.
    pub storage: Vec<(String, String)>,
    /// When something counts as safe.
    pub durability: Durability,
    /// How long data is kept.
    pub retention: Retention,
    /// What it may take.
    pub limits: Limits,
    /// How long a journey must be quiet after its end before it is written to its table.
    pub settle: Duration,
    /// How often the background looks for work.
    pub tick: Duration,
}

impl Options {
    /// What fits a laptop, in a folder.
    pub fn at(data: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            tables: None,
            storage: Vec::new(),
            durability: Durability::default(),
            retention: Retention::default(),
            limits: Limits::default(),
            settle: Duration::from_mins(1),
            tick: Duration::from_secs(1),
        }
    }
}

/// How long each class of data is kept; none for as long as there is room.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// Journeys: their spans, edges, and the runs.
    pub journeys: Option<Duration>,
    /// Native spans that belong to a journey.
    pub segments: Option<Duration>,
    /// Native spans that belong to none.
    pub background: Option<Duration>,
    /// How large the tables may grow together; the oldest days of background go first, then segments, then journeys.
    pub bytes: Option<u64>,
}

const DAY: Duration = Duration::from_hours(24);

impl Retention {
    /// Everything, for as long as there is room.
    pub const FOREVER: Self = Self { journeys: None, segments: None, background: None, bytes: None };
}

impl Default for Retention {
    fn default() -> Self {
        Self { journeys: Some(DAY * 90), segments: Some(DAY * 30), background: Some(DAY * 2), bytes: None }
    }
}

/// What a lake may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How large a segment of the log grows before it is written to the tables.
    pub segment_bytes: u64,
    /// How old it gets.
    pub segment_age: Duration,
    /// How many bytes may wait to be written to the log; more is refused.
    pub queue_bytes: usize,
    /// How many bytes of memory recent data may take; more is refused until some is in the tables. Before that,
    /// journeys go to their table early, the quietest first.
    pub hot_bytes: usize,
    /// How many journeys are kept in memory; the quietest go to their table early.
    pub hot_journeys: usize,
    /// How large the log may grow while nobody keeps checkpoints; the oldest goes, and is counted.
    pub log_bytes: u64,
    /// How large the log may grow for replicas that are away; what they miss after that, they say.
    pub replica_bytes: u64,
    /// How much memory queries may take together.
    pub query_bytes: usize,
    /// So many rows of a table's newest files have their ids known in memory: about 4 bytes a row at most, mostly a tenth of it.
    /// Older files are opened for an id.
    pub known_rows: usize,
    /// As many of the newest rows are looked at first for what is asked newest first, and then as many for what is rare among
    /// them; after that all are.
    pub recent_rows: [usize; 2],
    /// How many small files a partition gathers before they are merged.
    pub small_files: usize,
    /// How long a file stays after the last version that has it: the longest that a query may take. Tables keep what they were made with.
    pub deleted_files: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            segment_bytes: 32 << 20,
            segment_age: Duration::from_mins(1),
            queue_bytes: 64 << 20,
            hot_bytes: 192 << 20,
            hot_journeys: 4096,
            log_bytes: 2 << 30,
            replica_bytes: 1 << 30,
            query_bytes: 256 << 20,
            known_rows: 16 << 20,
            recent_rows: [256 << 10, 2 << 20],
            small_files: 8,
            deleted_files: Duration::from_hours(1),
        }
    }
}
