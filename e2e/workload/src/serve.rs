//! A small HTTP server: `/readyz` follows the plan, everything else is 200.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv6Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// A request's head may be this long; the rest is not read.
const HEAD_LIMIT: u64 = 8 * 1024;
const TIMEOUT: Duration = Duration::from_secs(5);

/// Serves on `port`, one connection after the other, and is ready from `ready_at` on.
pub(crate) fn start(port: u16, ready_at: Instant) -> std::io::Result<()> {
    let listener =
        TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).or_else(|_| TcpListener::bind(("0.0.0.0", port)))?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that went away is its own problem.
            let _ = answer(&stream, Instant::now() >= ready_at);
        }
    });
    Ok(())
}

fn answer(mut stream: &TcpStream, ready: bool) -> std::io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let path = request_path(stream)?;
    let (status, body) = match path.as_str() {
        "/readyz" if !ready => ("503 Service Unavailable", "not ready yet\n"),
        _ => ("200 OK", "ok\n"),
    };
    let length = body.len();
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

fn request_path(stream: &TcpStream) -> std::io::Result<String> {
    let mut head = BufReader::new(stream.take(HEAD_LIMIT)).lines();
    let first = head.next().transpose()?.unwrap_or_default();
    for line in head {
        if line?.is_empty() {
            break;
        }
    }
    Ok(first.split(' ').nth(1).unwrap_or("/").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(port: u16, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn free_port() -> u16 {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn readiness_comes_when_the_plan_says() {
        let port = free_port();
        start(port, Instant::now() + Duration::from_millis(300)).unwrap();
        assert!(get(port, "/readyz").starts_with("HTTP/1.1 503"));
        assert!(get(port, "/").starts_with("HTTP/1.1 200"));
        std::thread::sleep(Duration::from_millis(350));
        assert!(get(port, "/readyz").starts_with("HTTP/1.1 200"));
    }
}
