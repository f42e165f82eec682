//! What several crates need for their tests: an OTLP sink. A dev-dependency only, never shipped.

pub mod otlp;
