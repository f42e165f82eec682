//! What the HTTP and the gRPC layers share: how a request is wrapped, whatever it is called.

mod body;
mod client;
mod future;
mod protocol;
mod server;
mod trust;

pub use client::Client;
pub use future::TracedFuture;
pub use server::{Hold, Server};
pub use trust::{Caller, Trust};

pub(crate) use body::TracedBody;
pub(crate) use client::ClientLayer;
pub(crate) use protocol::{Head, Peer, Protocol};
pub(crate) use server::ServerLayer;
