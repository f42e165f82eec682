//! Captures again: all at once through the weaver, or in their own time as if they happened now.

mod timeline;
mod whole;

pub use timeline::{Playing, Timeline};
pub use whole::{Replay, Replayed};
