//! What the JSON API shows, from what the store answers. Pure.

mod critical;
mod detail;
mod json;
mod row;
mod span;

pub use row::object_kind;

pub(crate) use detail::{Detail, whole};
pub(crate) use row::{Row, Usual};
pub(crate) use span::{SpanView, span_view};
