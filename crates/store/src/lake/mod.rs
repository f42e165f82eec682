//! The engine: a log and memory for recent data, tables of Delta Lake for the rest, one answer over both.
//!
//! | to | see |
//! |---|---|
//! | open one | [`Lake`], [`Options`] |
//! | know what is kept and for how long | [`Retention`], [`Limits`] |
//!
//! Inside: `intake` turns records into log entries and rows; `hot` is memory; `work` and `flush` move it to the tables (`cold`);
//! `live` is a table as queries see it; `ask` answers; `tidy` keeps the tables in order, `expire` drops what is too old; `verify` reads everything again.

mod ask;
mod attached;
mod background;
mod by_id;
mod checkpoint;
mod cold;
mod engine;
mod expire;
mod export;
mod fault;
mod files;
mod fingerprint;
mod flush;
mod gather;
mod hot;
mod hot_journey;
mod intake;
mod live;
mod open;
mod options;
mod parts;
mod place;
mod properties;
mod read;
mod seen;
mod segments;
mod session;
mod shared;
mod shelf;
mod sorted;
mod span_order;
mod store;
mod straight;
mod table;
mod tail;
mod tidy;
mod verify;
mod work;
mod written;

pub use crate::log::Durability;
pub use engine::Lake;
pub use options::{Limits, Options, Retention};
pub use verify::Report;
