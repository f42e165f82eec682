//! The watch source: every object version of every resource that can be listed and watched.

mod answer;
mod api;
mod begun;
mod discovery;
mod line;
mod resource;
mod run;
mod select;
mod step;

pub(crate) use api::client;
pub(crate) use run::run;
pub use select::{Pattern, Selection};
