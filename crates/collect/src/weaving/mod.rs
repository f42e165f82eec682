//! Weaving while facts come in: from what is durable to journeys in the store, cluster by cluster.

mod clock;
mod clusters;
mod counts;
mod loom;

pub use clock::Clock;
pub use counts::{WeavingCounts, WeavingState};
pub use loom::{Loom, LoomOptions};
