//! The audit source: the API server's log file or its webhook, one redacted event a line.

mod events;
mod follow;
mod tail;
mod webhook;

pub(crate) use follow::follow;
pub(crate) use webhook::serve;
