//! A capture multiplied to thousands of deployments, and the clock that measurements are taken with.
//!
//! | to | see |
//! |---|---|
//! | read the capture that is multiplied | [`Seed`] |
//! | get the facts of N deployments | [`History`] |
//! | get the audit lines of N deployments | [`audit_lines`] |
//! | load a server with spans | [`ingest`] |
//! | measure | [`Stopwatch`] |
//!
//! The benchmarks themselves are in `benches/`; what they measured is in `docs/benchmarks.md`.

mod history;
pub mod ingest;
mod lines;
mod rename;
mod schedule;
mod seed;
mod stopwatch;
mod vary;

pub use history::{Burst, History};
pub use lines::audit_lines;
pub use schedule::Schedule;
pub use seed::{Seed, Selection};
pub use stopwatch::Stopwatch;
