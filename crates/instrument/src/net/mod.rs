//! Connections to collectors: direct, over unix sockets, through an egress proxy, with TLS.

mod connect_tunnel;
mod connector;
mod dialer;
mod stream;
mod tls;

pub(crate) use connector::Connector;
pub(crate) use dialer::Dialer;
pub(crate) use tls::{TlsFiles, client_config};
