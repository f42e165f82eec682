//! OTLP out: journeys forwarded to Jaeger, Tempo, a collector or a vendor.
//!
//! | to | see |
//! |---|---|
//! | forward | [`Forwarder`], [`Settings`], [`Endpoint`] |
//! | see what happened | [`Forwarded`], by way of [`Forwarder::forwarded`] |
//!
//! A journey goes out a little while after it ended, with its segments re-parented into its trace; what changes later goes
//! out again, and only that. Requests wait on disk, in a folder for each endpoint, until the endpoint has taken them.
//! Of several replicas one forwards, and tells the others what was taken; they hold the journeys that were not.

mod backoff;
mod channel;
mod counts;
mod forwarder;
mod gather;
mod grpc;
mod http;
mod lane;
mod note;
mod sent;
mod settings;
mod spool;
mod taken;
mod waiting;

pub use counts::{Forwarded, LaneCounts};
pub use forwarder::Forwarder;
pub use settings::{Endpoint, Settings};
