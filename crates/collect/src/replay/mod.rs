//! Captures again: all at once through the weaver, into a store, or in their own time as if they happened now.

mod import;
mod merged;
mod piece;
mod timeline;
mod whole;

pub use import::{Import, Imported};
pub use timeline::{Playing, Timeline};
pub use whole::{Replay, Replayed};
