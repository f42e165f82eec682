//! Recording scenes: a script that people's and pipelines' hands could have typed, on a real cluster, as a capture.

mod actions;
mod notes;
mod recorder;
mod scene;

pub use actions::{Action, actions};
pub use recorder::record;
pub use scene::{Half, Scene};
