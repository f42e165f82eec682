//! Connections of the page and the query APIs: so many at once, none that only takes up room, all gone at the end.

mod connection;
mod limits;
mod listen;

pub use limits::ServeLimits;
pub use listen::serve;
