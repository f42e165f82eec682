//! Trace contexts on objects: reads every annotation that clew knows, writes its own.
//!
//! Nothing carries a trace context from an API write to the controller that reacts, except the object itself.
//! Several projects put one there, each under its own key and in its own form; [`Codec::read`] takes the first
//! that holds a valid one and says where it was.

mod codec;
mod decode;
mod kelemetry;
mod keys;

pub use codec::{Codec, Found};
pub use kelemetry::{DIFF_REDACTED, PARENT_LINK, is_redacted, parent_link};
pub use keys::{DEFAULT_KEY, KNOWN_KEYS};

#[cfg(test)]
mod tests;
