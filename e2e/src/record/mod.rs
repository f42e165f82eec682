//! Recording scenes: a script that people's and pipelines' hands could have typed, on a real cluster, as a capture.

mod actions;
mod recorder;
mod scene;

pub use recorder::record;
