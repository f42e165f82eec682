//! A load of spans like the API server's, and what taking it costs a server.

mod fresh;
mod load;
mod process;
mod shape;

pub use load::{Load, Sent, send, send_trace};
pub use process::{Process, Usage};
pub use shape::Shape;
