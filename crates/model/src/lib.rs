//! The words of clew as types: ids, spans, object references, W3C context, annotations.
//!
//! Pure: nothing here does I/O, reads a clock or draws a random number (invariant 1), and every id that clew
//! makes is a hash (invariant 2, [`ids`]). Decoders take whatever a client sent: they are bounded, they never
//! panic, and what is wrong comes back as an [`Error`].
//!
//! | to | see |
//! |---|---|
//! | name a trace, a span, a command | [`TraceId`], [`SpanId`], [`CommandId`] |
//! | make an id that a replay makes again | [`ids`] |
//! | read and write `traceparent`, `tracestate`, `baggage` | [`w3c`] |
//! | find a trace context on an object | [`annotation`] |
//! | say when, what, and why | [`Time`], [`ObjectRef`], [`Evidence`] |
//! | ask whether JSON has a text as it is | [`json`] |
//! | hold a span | [`Span`], [`Attributes`], [`Value`] |

pub mod annotation;
mod attributes;
mod error;
mod evidence;
mod hex;
mod id;
pub mod ids;
pub mod json;
mod object;
mod span;
mod time;
mod value;
pub mod w3c;

pub use attributes::Attributes;
pub use error::{Error, Result};
pub use evidence::Evidence;
pub use id::{CommandId, SpanId, TraceId};
pub use object::{ObjectKey, ObjectRef};
pub use span::{Span, SpanEvent, SpanKind, SpanLink, Status, StatusCode};
pub use time::Time;
pub use value::{MAX_DEPTH, Value};
pub use w3c::{Baggage, TraceContext, TraceState};
