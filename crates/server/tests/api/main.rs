//! The JSON API, asked as the page asks it, over real captures.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod compare;
mod guard;
mod journeys;
mod live;
mod metrics;
mod objects;
mod page;
mod runs;
mod serve;
mod statistics;
mod status;
#[path = "../support/mod.rs"]
mod support;
mod titles;
