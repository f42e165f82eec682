//! The correlator: facts in, spans, edges and journeys out.
//!
//! Pure: no I/O, no clock, no async, no randomness. Time comes in with the facts.
//!
//! | to | see |
//! |---|---|
//! | feed it and ask it | [`Weaver`] |
//! | know what goes in | [`fact`] |
//! | know what comes out | [`Upserts`], [`Journey`], [`Edge`] |
//! | tell how far an object is | [`kstatus`] |
//!
//! Inside: `ingest` turns facts into steps of objects in `memory`; `effects` says what each step did; `explain` finds
//! why, rule by rule; `settle` asks again when something earlier becomes known; `journey` builds what comes out;
//! `forget` ends memory.

mod actor;
mod command;
mod config;
mod diff;
mod effects;
mod explain;
pub mod fact;
mod filing;
mod forget;
mod happenings;
mod ingest;
mod journey;
pub mod kstatus;
mod learn;
mod memory;
mod merge;
mod names;
mod object;
mod output;
mod reparent;
mod segment;
mod settle;
mod step;
mod symbol;
mod weaver;
mod why;

pub use config::Config;
pub use journey::critical_spans;
pub use output::{
    Child, CriticalPart, Edge, FieldDiff, Finding, Journey, JourneyObject, Root, State, Upserts, WaitingOn,
};
pub use reparent::reparent;
pub use step::RootKind;
pub use weaver::{Stats, Weaver};
pub use why::{Weighed, Why};

/// The hash under which a name or UID is mentioned by one object and looked up for another.
pub fn mention(name: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}
