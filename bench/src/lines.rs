//! The audit log of many deployments, as the API server writes it.

use memchr::memmem;

use crate::rename;
use crate::schedule::Schedule;
use crate::seed::Seed;

/// The audit lines of some copies, one copy after the other: names, ids, versions and times are the copy's own.
pub fn audit_lines(seed: &Seed, schedule: &Schedule, copies: std::ops::Range<u32>) -> Vec<Box<[u8]>> {
    let about = memmem::Finder::new("\"namespace\":\"shop\"");
    let ours = seed.audit.iter().filter(|line| about.find(line).is_some());
    let ours: Vec<&str> = ours.filter_map(|line| std::str::from_utf8(line).ok()).collect();
    let copies = copies.flat_map(|copy| ours.iter().map(move |line| (copy, *line)));
    copies.map(|(copy, line)| vary(line, schedule, copy).into_bytes().into()).collect()
}

fn vary(line: &str, schedule: &Schedule, copy: u32) -> String {
    let mut out = String::with_capacity(line.len() + line.len() / 8);
    let mut rest = line;
    while let Some(open) = rest.find('"') {
        let text = &rest[open + 1..];
        let Some(close) = closing_quote(text) else { break };
        out.push_str(&rest[..=open]);
        push_varied(&text[..close], schedule, copy, &mut out);
        out.push('"');
        rest = &text[close + 1..];
    }
    out.push_str(rest);
    out
}

/// Where a string ends whose opening quote came just before.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// A string of a line, by what it looks like: a name, an id, a version, a time, a path.
fn push_varied(text: &str, schedule: &Schedule, copy: u32, out: &mut String) {
    let bytes = text.as_bytes();
    if bytes.len() == 36 && bytes[8] == b'-' {
        out.push_str(&rename::uid(&text.into(), copy).to_string());
    } else if text.starts_with('/') {
        out.push_str(&text.replace("/shop", &format!("/{}", rename::namespace(copy))));
    } else if let Some(version) = version(text) {
        out.push_str(&schedule.version(version, copy).to_string());
    } else if text.starts_with("20")
        && text.ends_with('Z')
        && let Ok(time) = text.parse()
    {
        out.push_str(&schedule.time(time, copy).to_string());
    } else {
        out.push_str(&rename::user(&rename::name(text, copy), copy));
    }
}

/// Strings of four digits are resourceVersions in this capture.
fn version(text: &str) -> Option<u64> {
    (text.len() == 4).then(|| text.parse().ok()).flatten()
}
