//! Two journeys, or two groups of them, step by step: what became slower, and whether that is chance. Pure.

mod comparison;
mod rank;
mod sample;
mod steps;

pub(crate) use comparison::compare;
pub(crate) use sample::Sample;
