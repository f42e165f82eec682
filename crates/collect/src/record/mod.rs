//! Recording a live cluster into a capture: sources push lines into bounded queues, one writer for each file.

mod counts;
mod file;
mod plan;
mod queue;
mod run;
mod start;
mod summary;

pub(crate) use start::Context;

pub use counts::{Counts, Snapshot, SourceCounts};
pub use file::{CaptureFile, FileSummary};
pub use plan::{AuditFrom, OtlpFrom, Plan, WatchFrom};
pub use queue::{LineQueue, Stopped, Writers};
pub use run::record;
pub use summary::{NotRecorded, Notice, Notify, RecordSummary};
