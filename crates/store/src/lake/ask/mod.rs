//! Answers, from memory and lake together.

mod by_id;
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

#[cfg(test)]
pub(super) use fields::{attribute, of_resource};
pub(super) use resource::{attributes_of, resource_attribute};
pub(super) use rows::{collect, frame, run, texts};
