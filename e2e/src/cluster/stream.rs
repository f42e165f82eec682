//! Loopback TCP and unix sockets behind one face, since a relay joins one to the other.

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// One end of a relay.
#[derive(Clone, Debug)]
pub(crate) enum Address {
    /// A port of the loopback; 0 takes any free one.
    Loopback(u16),
    /// A unix socket, which is reachable across network namespaces.
    Unix(PathBuf),
}

/// Where connections come in.
#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// One connection.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Address {
    pub(crate) fn bind(&self) -> io::Result<Listener> {
        match self {
            Self::Loopback(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).map(Listener::Tcp),
            Self::Unix(path) => UnixListener::bind(path).map(Listener::Unix),
        }
    }

    pub(crate) fn connect(&self) -> io::Result<Stream> {
        match self {
            Self::Loopback(port) => TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).and_then(at_once),
            Self::Unix(path) => UnixStream::connect(path).map(Stream::Unix),
        }
    }
}

/// A relay must not add the wait of Nagle's algorithm, forty milliseconds, to every small answer.
fn at_once(stream: TcpStream) -> io::Result<Stream> {
    stream.set_nodelay(true)?;
    Ok(Stream::Tcp(stream))
}

impl Listener {
    pub(crate) fn accept(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => listener.accept().and_then(|(stream, _)| at_once(stream)),
            Self::Unix(listener) => listener.accept().map(|(stream, _)| Stream::Unix(stream)),
        }
    }

    pub(crate) fn port(&self) -> io::Result<u16> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(|address| address.port()),
            Self::Unix(_) => Err(io::Error::other("a unix socket has no port")),
        }
    }
}

impl Stream {
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
        }
    }

    pub(crate) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.shutdown(how),
            Self::Unix(stream) => stream.shutdown(how),
        }
    }
}

impl io::Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl io::Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(buffer),
            Self::Unix(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.flush(),
            Self::Unix(stream) => stream.flush(),
        }
    }
}
