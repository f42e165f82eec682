//! The contract of the lake: one binary, since linking the engine is what takes the time.

mod faults;
mod journeys;
mod kill;
mod python;
mod readers;
mod round_trip;
mod s3;
mod sql;
mod support;
mod two;
