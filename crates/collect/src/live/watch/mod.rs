//! The live watch of a cluster: every change becomes a fact, over restarts and gaps.
//!
//! Watches decode what they see and tell it to one *keeper* for each cluster, which knows what was told before, makes
//! facts durable in batches, and keeps a *cursor* in a file: after a restart each watch goes on where it was.

mod cursor;
mod keeper;
mod ledger;
mod one;
mod output;
mod run;
mod settings;
mod told;

pub use run::run;
pub use settings::Settings;
