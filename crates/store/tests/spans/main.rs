//! Spans survive: as columns, and out of OTLP.

mod arbitrary;
mod captures;
mod columns;
mod hostile;
mod native;
mod otlp;
mod reference;
