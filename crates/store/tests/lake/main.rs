//! The contract of the lake: one binary, since linking the engine is what takes the time.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cloned_ref_to_slice_refs,
    clippy::default_trait_access,
    clippy::map_unwrap_or,
    reason = "numbers of a test are small, and its helpers short"
)]

mod attributes;
mod faults;
mod files;
mod journeys;
mod kill;
mod memory;
mod merged;
mod python;
mod readable;
mod readers;
mod replicas;
mod retention;
mod round_trip;
mod s3;
mod sql;
mod support;
mod two;
mod unread;
