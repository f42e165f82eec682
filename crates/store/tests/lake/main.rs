//! The contract of the lake: one binary, since linking the engine is what takes the time.

mod faults;
mod journeys;
mod kill;
mod round_trip;
mod sql;
mod support;
mod two;
