//! Answers, from memory and lake together.

mod condition;
mod fields;
mod health;
mod journey;
mod journeys;
mod keys;
mod readable;
mod resource;
mod rows;
mod runs;
mod spans;
mod sql;
mod statistics;
mod time;

pub(super) use resource::resource_attribute;
pub(super) use rows::{collect, frame, run, texts};
