//! What stands between the network and the handlers: who may come in, how much, how long, and with which headers.

mod access;
mod admit;
mod headers;
mod host;
mod layers;
mod token;
mod turns;

pub use access::Access;
pub(crate) use layers::guarded;
pub(crate) use turns::{Turns, take_turn};
