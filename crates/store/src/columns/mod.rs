//! Spans as columns: the one shape that memory, log and lake have in common.
//!
//! | to | see |
//! |---|---|
//! | know the columns | [`schema`], [`column_name`] |
//! | make columns | [`SpanBatchBuilder`]; out of OTLP: [`crate::otlp`] |
//! | hold them, and have spans again | [`SpanBatch`] |
//!
//! Attributes lie in one map for each type, so that a search by number compares numbers; `attributes_order` says how
//! they were mixed. What nests is JSON text ([`json`] says how).

mod attributes;
mod batch;
mod builder;
pub(crate) mod json;
mod maps;
mod parse;
mod promote;
mod push;
mod read;
mod resources;
mod schema;
mod stored;
mod text;

pub use batch::SpanBatch;
pub(crate) use builder::Row;
pub use builder::{MAX_BATCH_BYTES, SpanBatchBuilder};
pub(crate) use parse::value as parse_value;
pub use promote::{PROMOTED_KEYS, Promoted};
pub(crate) use read::{MADE_OF, read};
pub use schema::{column_name, kind_word, schema, status_word};
