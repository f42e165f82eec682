//! The watch source: every object version of every resource that can be listed and watched.

mod answer;
mod api;
mod begun;
mod discovery;
mod line;
mod output;
mod recorded;
mod resource;
mod run;
mod scope;
mod select;
mod step;
mod watcher;

pub(crate) use api::{client, connect};
pub(crate) use discovery::discover;
pub(crate) use line::line;
pub(crate) use output::{Ended, Output, OutputOfOne, Seen};
pub(crate) use recorded::Recorded;
pub(crate) use resource::{Resource, ResourceKey};
pub(crate) use run::run;
pub use scope::Scope;
pub use select::{Pattern, Selection};
pub(crate) use step::Outcome;
