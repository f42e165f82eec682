//! The sources of facts: captures, the audit log, the watch, OTLP.
//!
//! Decodes at the edge into `weave`'s facts; never decides what caused what.

pub mod capture;
mod error;
pub mod redact;

pub use error::CollectError;
