//! The W3C trace context and baggage codecs.
//!
//! `traceparent` and `tracestate` follow the W3C Recommendation of 23 November 2021, `baggage` the Candidate
//! Recommendation of 2024. Decoders are strict, except where the text asks for tolerance: later versions of
//! `traceparent` are read as far as this version knows them.

mod baggage;
mod carrier;
mod context;
mod ows;
mod traceparent;
mod tracestate;

pub use baggage::{Baggage, BaggageMember};
pub use carrier::{ENVIRONMENT, Extracted, HEADERS, Names, extract, inject};
pub use context::TraceContext;
pub use tracestate::TraceState;
