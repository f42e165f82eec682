//! What the HTTP and the gRPC layers share: how a request is wrapped, whatever it is called.

mod body;
mod client;
mod protocol;
mod server;
mod trust;

pub use client::{Client, ClientFuture};
pub use server::{Hold, Server, ServerFuture};
pub use trust::{Caller, Trust};

pub(crate) use body::TracedBody;
pub(crate) use client::ClientLayer;
pub(crate) use protocol::{Head, Peer, Protocol};
pub(crate) use server::ServerLayer;
