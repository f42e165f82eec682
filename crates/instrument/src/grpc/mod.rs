//! gRPC (tonic): the server and client layers that trace CRI, CSI, device plugins and everything else.

mod code;
mod protocol;

pub use protocol::Grpc;

pub(crate) use code::code_name;

/// Adds a server span to each call of a tonic server.
pub type ServerLayer = crate::layer::ServerLayer<Grpc>;
/// Adds a client span and a context to each call of a tonic channel.
pub type ClientLayer = crate::layer::ClientLayer<Grpc>;
/// The body of a traced gRPC answer.
pub type Body<B> = crate::layer::TracedBody<B, Grpc>;
