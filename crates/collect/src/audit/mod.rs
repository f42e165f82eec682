//! The audit source: the API server's log file or its webhook, one redacted event a line.

mod events;
mod follow;
mod tail;
mod webhook;

pub(crate) use events::lines_of;
pub(crate) use follow::follow;
pub(crate) use tail::{Look, Place, Tail};
pub(crate) use webhook::serve;
