//! What Prometheus reads.

mod exposition;
mod families;
mod requests;

pub(crate) use families::{Seen, exposed};
pub(crate) use requests::{Requests, count_requests};
