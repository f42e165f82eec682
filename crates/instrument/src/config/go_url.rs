//! The part of Go's `net/url.Parse` that endpoint validation depends on, with its error texts.

use std::fmt::Write as _;

/// The scheme of a URL as Go sees it, or Go's complaint.
pub(super) fn scheme(text: &str) -> Result<String, String> {
    parse(text).map_err(|reason| format!("parse {}: {reason}", quote(text)))
}

fn parse(text: &str) -> Result<String, String> {
    if text.bytes().any(|byte| byte < 0x20 || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let (scheme, rest) = split_scheme(text)?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    if !rest.starts_with('/') {
        if scheme.is_empty() && rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
        return Ok(scheme);
    }
    if let Some(authority) = rest.strip_prefix("//") {
        let authority = authority.split('/').next().unwrap_or_default();
        host(authority.rsplit('@').next().unwrap_or_default())?;
    }
    Ok(scheme)
}

fn split_scheme(text: &str) -> Result<(String, &str), String> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((text[..index].to_ascii_lowercase(), &text[index + 1..])),
            _ => break,
        }
    }
    Ok((String::new(), text))
}

fn host(host: &str) -> Result<(), String> {
    if let Some(position) = host.find('%') {
        let escape: String = host[position..].chars().take(3).collect();
        return Err(format!("invalid URL escape {}", quote(&escape)));
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii() || "-_.~!$&'()*+,;=:[]<>\"".contains(c);
    if let Some(bad) = host.chars().find(|c| !allowed(*c)) {
        return Err(format!("invalid character {} in host name", quote(&bad.to_string())));
    }
    let port = if host.starts_with('[') {
        host.split_once(']').ok_or("missing ']' in host")?.1
    } else {
        host.rfind(':').map_or("", |colon| &host[colon..])
    };
    let valid =
        port.is_empty() || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    if valid { Ok(()) } else { Err(format!("invalid port {} after host", quote(port))) }
}

/// A text as Go's `%q` prints it.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_ascii_control() => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
