//! A receiver of the API server's audit webhook, on the machine's loopback.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// The audit events that were sent.
pub(crate) struct AuditSink {
    port: u16,
    events: Arc<Mutex<Vec<Value>>>,
}

impl AuditSink {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let events = Arc::<Mutex<Vec<Value>>>::default();
        let kept = Arc::clone(&events);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || take(&stream, &kept));
            }
        });
        Self { port, events }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        self.events.lock().unwrap().clone()
    }
}

/// Answers requests on one connection until it ends.
fn take(mut stream: &TcpStream, kept: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = body(&mut reader) {
        let mut list: Value = serde_json::from_slice(&body).unwrap();
        let items = list["items"].take();
        kept.lock().unwrap().extend(items.as_array().cloned().unwrap_or_default());
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
}

/// The next request's body; the API server's client always says how long it is.
fn body(reader: &mut BufReader<&TcpStream>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}
