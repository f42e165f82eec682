//! Spans survive: as columns, and out of OTLP.

mod arbitrary;
mod columns;
