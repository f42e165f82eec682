//! From an ended span to a collector: a bounded queue with exact books, a thread of its own, retries, a spool.

mod attempt;
mod ledger;
mod queue;
mod retry;
mod running;
mod settings;
mod shard;
mod spool;
mod started;
mod worker;

pub use ledger::Ledger;
pub use settings::{Batching, Retrying};
pub use spool::SpoolSettings;

pub(crate) use queue::Queue;
pub(crate) use shard::Shard;
pub(crate) use spool::Spool;
pub(crate) use started::Origin;
pub(crate) use worker::{Job, Worker};
