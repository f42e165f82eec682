//! Live clusters: the watch, the audit log and webhook, as facts that are durable before they are acknowledged.
//!
//! | to | see |
//! |---|---|
//! | find clusters | [`connect`] |
//! | watch one | [`watch::run`] |
//! | take its audit events | [`audit::router`], [`audit::follow`] |
//! | see how each source is | [`Sources`] |
//! | know what a cluster allows, and what is missing | [`doctor::examine`] |
//! | know who looks, and what they may read | [`access::Reviews`] |
//! | put a trace around a command | [`proxy::Proxy`] |
//! | find the trace context of an object | [`Contexts`] |
//! | keep what clew makes for itself in the cluster | [`OwnSecret`] |
//! | have the API server call the webhook | [`apply_webhook`] |

pub mod access;
mod ask;
pub mod audit;
mod connection;
mod contexts;
pub mod doctor;
pub(crate) mod file;
mod parts;
pub mod proxy;
mod secret;
mod sources;
pub mod watch;
mod webhook;

pub use connection::{Connection, connect};
pub use contexts::{Contexts, Named};
pub use parts::Parts;
pub(crate) use secret::Change;
pub use secret::OwnSecret;
pub use sources::{SourceHandle, SourceKind, SourceState, SourceStatus, Sources};
pub use webhook::apply_webhook;
