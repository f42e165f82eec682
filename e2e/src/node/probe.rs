//! How the starter sees that a component does its work.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use super::kubectl::Kubectl;

const TIMEOUT: Duration = Duration::from_millis(500);

/// A question whose answer says that a component is ready.
#[derive(Clone, Debug)]
pub(crate) enum Probe {
    /// The port of the loopback takes connections.
    Port(u16),
    /// An HTTP path on the loopback answers 200.
    Http(u16, &'static str),
    /// The unix socket takes connections.
    Socket(PathBuf),
    /// The API server on this port says that it is ready.
    ApiServer(u16),
}

impl Probe {
    pub(crate) fn passes(&self, kubectl: &Kubectl) -> bool {
        match self {
            Self::Port(port) => connect(*port).is_ok(),
            Self::Http(port, path) => http_is_ok(*port, path).unwrap_or(false),
            Self::Socket(path) => UnixStream::connect(path).is_ok(),
            // kubectl waits for a while on a closed port, which would hold the other probes up.
            Self::ApiServer(port) => connect(*port).is_ok() && kubectl.run(&["get", "--raw", "/readyz"]).is_ok(),
        }
    }
}

fn connect(port: u16) -> std::io::Result<TcpStream> {
    TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), TIMEOUT)
}

fn http_is_ok(port: u16, path: &str) -> std::io::Result<bool> {
    let mut stream = connect(port)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    let mut head = [0_u8; 12];
    stream.read_exact(&mut head)?;
    Ok(head.ends_with(b" 200"))
}
