//! Who looks, and what they may read, by a cluster's own word.

mod authority;
mod kinds;
mod reviews;

pub use authority::{Authority, Question, User};
pub use reviews::Reviews;
