//! Whether a filter holds for a journey or a span at hand, without asking a store: what the live stream needs.

mod compare;
mod filter;
mod journey;
mod span;
#[cfg(test)]
mod tests;
mod value;

pub use filter::{Matcher, Verdict};
pub use journey::Subject;
