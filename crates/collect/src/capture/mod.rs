//! Captures: recordings of facts that can be replayed.
//!
//! A capture is a folder with any of `audit.log`, `watch.jsonl` and `otlp.jsonl`, each plain or `.zst`; or a tar of
//! such a folder, or one of the files alone. Reading streams: no more than one line is held in memory, a bad line or
//! a file that breaks off is counted in [`BadLines`] and never ends the rest.

mod bad;
mod encoding;
mod layout;
mod lines;
mod read;
mod source;

pub use bad::{BadFile, BadLine, BadLines};
pub use read::{Capture, DEFAULT_MAX_LINE, Line, ReadOptions, ReadSummary, Visit};
pub use source::{Source, Sources};
