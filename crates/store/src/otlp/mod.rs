//! OTLP trace requests, from their protobuf straight into columns.
//!
//! | to | see |
//! |---|---|
//! | look whether a request can be taken | [`check`] |
//! | know its spans before they are read | [`Unread`] |
//! | have them as columns | [`Unread::read`], [`Columns`], [`decode`] |
//! | have what the weaver needs of them | [`check`], [`Native`] |
//!
//! A request that is no protobuf is an error. A span that breaks a rule is refused on its own and counted ([`Reason`]); what
//! is merely too much of it is left out, counted, and noted on the span as `otel.dropped_attributes_count` and the like.

mod check;
mod decode;
mod limits;
mod native;
mod rest;
mod span;
mod unread;
mod value;
mod walk;
mod wire;

pub use check::{Checked, check};
pub use decode::{Columns, decode};
pub use limits::{Counts, Limits, Reason};
pub use native::Native;
pub use unread::{Spot, Unread};

/// Why bytes are no OTLP trace request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Malformed(&'static str);

/// Why a span cannot be taken: the request cannot be read on, or the span alone breaks a rule.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Malformed(Malformed),
    Refused(Reason),
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<Malformed> for crate::StoreError {
    fn from(malformed: Malformed) -> Self {
        Self::Request(malformed.0.into())
    }
}
