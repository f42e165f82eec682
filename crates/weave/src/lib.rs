//! The correlator: facts in, spans, edges and journeys out.
//!
//! Pure: no I/O, no clock, no async, no randomness. Time comes in with the facts.
