//! The `baggage` header: what an application sends along with a trace.

use std::fmt;
use std::str::FromStr;

use compact_str::CompactString;

use super::ows::trim_ows;
use crate::{Error, Result};

const MAX_MEMBERS: usize = 64;
const MAX_BYTES: usize = 8192;

/// The members of a `baggage` header, decoded.
///
/// At most 64 members and 8192 bytes are kept; members past either limit are dropped whole and counted, as the
/// W3C text allows.
///
/// ```
/// use clew_model::Baggage;
///
/// let baggage: Baggage = "user=Am%C3%A9lie; private, build = 7".parse()?;
/// assert_eq!(baggage.get("user"), Some("Amélie"));
/// assert_eq!(baggage.to_string(), "user=Am%C3%A9lie;private,build=7");
/// # Ok::<(), clew_model::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baggage {
    members: Vec<BaggageMember>,
    dropped: usize,
}

/// One entry of the baggage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaggageMember {
    /// The key: a token of RFC 9110.
    pub key: CompactString,
    /// The value, percent-decoded.
    pub value: CompactString,
    /// The properties as they came, separated by semicolons; clew gives them no meaning.
    pub properties: CompactString,
}

impl Baggage {
    /// Reads one list from several headers, which count as if they were joined by commas.
    pub fn from_headers<'a>(headers: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut baggage = Self::default();
        let mut bytes = 0_usize;
        for header in headers {
            for text in header.split(',').map(trim_ows).filter(|text| !text.is_empty()) {
                bytes += text.len() + 1;
                if baggage.members.len() == MAX_MEMBERS || bytes > MAX_BYTES + 1 {
                    baggage.dropped += 1;
                    continue;
                }
                baggage.put(read_member(text)?);
            }
        }
        Ok(baggage)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.members.iter().find(|member| member.key == key).map(|member| member.value.as_str())
    }

    /// Sets a key, without properties; refused if the key is no token or a limit would be passed.
    pub fn insert(&mut self, key: &str, value: &str) -> Result<()> {
        if !is_token(key) {
            return Err(Error::Baggage("a key is no token"));
        }
        let mut changed = self.clone();
        changed.put(BaggageMember { key: key.into(), value: value.into(), properties: CompactString::default() });
        if changed.members.len() > MAX_MEMBERS || changed.to_string().len() > MAX_BYTES {
            return Err(Error::Baggage("it would have more than 64 members or 8192 bytes"));
        }
        *self = changed;
        Ok(())
    }

    /// All members in order.
    pub fn iter(&self) -> std::slice::Iter<'_, BaggageMember> {
        self.members.iter()
    }

    /// How many members were dropped for the limits.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Of several members with one key the last counts, in the place of the first.
    fn put(&mut self, member: BaggageMember) {
        match self.members.iter_mut().find(|old| old.key == member.key) {
            Some(old) => *old = member,
            None => self.members.push(member),
        }
    }
}

fn read_member(text: &str) -> Result<BaggageMember> {
    let (pair, properties) = text.split_once(';').unwrap_or((text, ""));
    let (key, value) = pair.split_once('=').ok_or(Error::Baggage("a member has no value"))?;
    let (key, value) = (trim_ows(key), trim_ows(value));
    if !is_token(key) {
        return Err(Error::Baggage("a key is no token"));
    }
    if !value.bytes().all(is_octet) {
        return Err(Error::Baggage("a value holds a character that must be percent-encoded"));
    }
    Ok(BaggageMember { key: key.into(), value: decode(value), properties: read_properties(properties)? })
}

fn read_properties(text: &str) -> Result<CompactString> {
    let mut properties = CompactString::default();
    for property in text.split(';').map(trim_ows).filter(|property| !property.is_empty()) {
        let (key, value) = match property.split_once('=') {
            Some((key, value)) => (trim_ows(key), Some(trim_ows(value))),
            None => (property, None),
        };
        if !is_token(key) || !value.unwrap_or_default().bytes().all(is_octet) {
            return Err(Error::Baggage("a property breaks the grammar"));
        }
        if !properties.is_empty() {
            properties.push(';');
        }
        properties.push_str(key);
        if let Some(value) = value {
            properties.push('=');
            properties.push_str(value);
        }
    }
    Ok(properties)
}

fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

/// `baggage-octet`: visible ASCII without quote, comma, semicolon and backslash.
fn is_octet(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\",;\\".contains(&byte)
}

/// Percent-decodes; what is no UTF-8 becomes U+FFFD, and a percent sign that encodes nothing stays.
fn decode(text: &str) -> CompactString {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let encoded = (*first == b'%').then(|| after.split_at_checked(2)).flatten();
        let decoded = encoded.and_then(|(pair, after)| {
            let [byte] = crate::hex::decode(pair, crate::hex::Case::Any)?;
            Some((byte, after))
        });
        let (byte, after) = decoded.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    CompactString::from_utf8_lossy(&bytes)
}

impl<'a> IntoIterator for &'a Baggage {
    type Item = &'a BaggageMember;
    type IntoIter = std::slice::Iter<'a, BaggageMember>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromStr for Baggage {
    type Err = Error;

    fn from_str(header: &str) -> Result<Self> {
        Self::from_headers([header])
    }
}

impl fmt::Display for Baggage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, member) in self.members.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{}=", member.key)?;
            encode(f, &member.value)?;
            if !member.properties.is_empty() {
                write!(f, ";{}", member.properties)?;
            }
        }
        Ok(())
    }
}

fn encode(f: &mut fmt::Formatter<'_>, value: &str) -> fmt::Result {
    for byte in value.bytes() {
        if is_octet(byte) && byte != b'%' {
            write!(f, "{}", char::from(byte))?;
        } else {
            write!(f, "%{byte:02X}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "baggage_tests.rs"]
mod tests;
