//! Who looks, and what they are shown: all of it to clew's own token, to a user of the cluster what they may read there.

mod cache;
mod counts;
mod known;
mod restricted;
mod users;
mod viewer;

pub(crate) use restricted::Restricted;
pub use users::Users;
pub(crate) use viewer::{Heard, Refused, Viewer};
