//! HTTP CONNECT, as Kubernetes' egress selector speaks it.

use super::stream::Stream;
use std::io;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The longest answer of a proxy before the tunnel begins.
const MAX_ANSWER: usize = 8 * 1024;

/// Asks a proxy for a tunnel to `address`.
pub(super) async fn open(mut stream: Stream, address: &str) -> io::Result<Stream> {
    let request = format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::with_capacity(256);
    // Byte by byte, so that nothing of the tunnel's own data is taken.
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() >= MAX_ANSWER {
            return Err(refused(address, "its answer is too long"));
        }
        answer.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&answer);
    let line = head.lines().next().unwrap_or_default();
    match line.split_whitespace().nth(1) {
        Some("200") => Ok(stream),
        _ => Err(refused(address, line)),
    }
}

fn refused(address: &str, answer: &str) -> io::Error {
    io::Error::other(format!("proxy error while dialing {address}: {answer}"))
}
