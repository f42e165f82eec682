//! The query string: names and values in, questions to the store out. Pure; what is wrong is named.

mod attribute;
mod bad;
mod cursor;
mod filters;
mod moment;
mod query;

pub use bad::BadParameter;
pub use filters::{FILTERS, Selection, column};
pub use query::Parameters;

pub(crate) use cursor::{read_cursor, write_cursor};
pub(crate) use moment::{duration, moment};
