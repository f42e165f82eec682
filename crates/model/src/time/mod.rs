//! Moments, as the facts give them: nanoseconds since the Unix epoch.

mod civil;
mod format;
mod moment;
mod parse;

pub use moment::Time;
