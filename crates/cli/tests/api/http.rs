//! The smallest client that shows what is on the wire.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// Asks for a path; with `until`, reads only to where that occurs.
pub(crate) fn get(address: &str, path: &str, headers: &BTreeMap<String, String>, until: Option<&str>) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // With HTTP/1.0 the answer ends where the connection ends: no chunks to put together.
    write!(stream, "GET {path} HTTP/1.0\r\n").unwrap();
    if !headers.contains_key("host") {
        write!(stream, "host: {address}\r\n").unwrap();
    }
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n").unwrap();
    }
    write!(stream, "\r\n").unwrap();
    let mut reader = BufReader::new(stream);
    let first = line(&mut reader);
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{first:?}"));
    let mut headers = BTreeMap::new();
    loop {
        let header = line(&mut reader);
        let Some((name, value)) = header.split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    Answer { status, headers, body: body(reader, until) }
}

fn line(reader: &mut impl BufRead) -> String {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

fn body(mut reader: impl Read, until: Option<&str>) -> String {
    let mut bytes = Vec::new();
    let Some(until) = until else {
        reader.read_to_end(&mut bytes).unwrap();
        return String::from_utf8(bytes).unwrap();
    };
    let mut buffer = [0; 4096];
    loop {
        let read = reader.read(&mut buffer).unwrap_or_else(|error| panic!("{until:?} did not come: {error}"));
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if text.contains(until) {
            return text.into_owned();
        }
        assert!(read > 0, "the answer ended without {until:?}: {text}");
    }
}
