//! HTTP: the server and client layers, the Kubernetes request behind a path, and the sub-spans of filters.

mod attributes;
mod client_span;
mod filter;
mod protocol;
mod request_info;

pub use crate::layer::{Caller, Client, Hold, Server, TracedFuture, Trust};
pub use attributes::{AuditId, PeerAddress, Route};
pub use client_span::ClientSpan;
pub use filter::{Filter, filter};
pub use protocol::Http;
pub use request_info::RequestInfo;

/// Adds a server span to each HTTP request of a service; works with axum, hyper and tower.
pub type ServerLayer = crate::layer::ServerLayer<Http>;
/// Adds a client span and a context to each HTTP request of a client; works with hyper, kube and tower.
pub type ClientLayer = crate::layer::ClientLayer<Http>;
/// The body of a traced HTTP answer.
pub type Body<B> = crate::layer::TracedBody<B, Http>;
