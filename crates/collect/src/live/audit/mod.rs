//! The audit source, live: a webhook that the API server posts to, or its log file; and the policy that asks for just
//! what clew needs.

mod access;
mod duplicates;
mod events;
mod follow;
mod policy;
mod receiver;

pub use access::Access;
pub(crate) use access::check;
pub use follow::{LogSettings, follow};
pub use policy::policy;
pub use receiver::{ReceiverSettings, router};
