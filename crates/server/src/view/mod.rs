//! What the JSON API shows, from what the store answers. Pure.

mod detail;
mod json;
mod object;
mod row;
mod span;

pub use row::object_kind;

pub(crate) use detail::{detail, spans, whole};
pub(crate) use json::Plain;
pub(crate) use object::{Change, ObjectView, changes, conditions, object_of};
pub(crate) use row::{Row, Usual};
pub(crate) use span::StatusView;
