//! The sources of facts: captures, the audit log, the watch, OTLP.
//!
//! Decodes at the edge into `weave`'s facts; never decides what caused what.

mod audit;
pub mod capture;
pub mod decode;
mod dial;
pub mod encode;
mod error;
pub mod forward;
mod http;
pub mod intake;
mod lines;
pub mod live;
mod otlp;
pub mod receive;
pub mod record;
pub mod redact;
pub mod replay;
pub mod replica;
pub mod tls;
pub mod watch;
pub mod weaving;

pub use dial::Dialer;
pub use error::CollectError;
