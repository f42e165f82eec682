//! The `tracestate` header: what other tracing systems keep on the way.

use std::fmt;
use std::str::FromStr;

use compact_str::CompactString;

use super::ows::trim_ows;
use crate::{Error, Result};

const MAX_MEMBERS: usize = 32;
const MAX_KEY: usize = 256;
const MAX_TENANT: usize = 241;
const MAX_SYSTEM: usize = 14;
const MAX_VALUE: usize = 256;
/// Members longer than this go first when a header must become shorter.
const LONG_MEMBER: usize = 128;
/// Longer headers are not read at all: 32 members of the greatest length, and white space.
const MAX_HEADER: usize = 32 * 1024;

/// The list of key and value pairs in a `tracestate`, the most recent writer first.
///
/// A list that breaks a rule is discarded as a whole, as the W3C text says; the `traceparent` beside it counts
/// nevertheless.
///
/// ```
/// use clew_model::TraceState;
///
/// let mut state: TraceState = "congo=t61rcWkgMzE, rojo=00f067aa0ba902b7".parse()?;
/// state.insert("rojo", "1")?;
/// assert_eq!(state.to_string(), "rojo=1,congo=t61rcWkgMzE");
/// # Ok::<(), clew_model::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TraceState(Vec<(CompactString, CompactString)>);

impl TraceState {
    /// An empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Reads one list from several headers, which count as if they were joined by commas.
    pub fn from_headers<'a>(headers: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut state = Self::new();
        let mut length = 0;
        for header in headers {
            length += header.len();
            if length > MAX_HEADER {
                return Err(Error::TraceState("it is longer than 32 KiB"));
            }
            header.split(',').try_for_each(|member| state.read_member(member))?;
        }
        Ok(state)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Sets a key, which makes it the first; the last of more than 32 members falls out.
    pub fn insert(&mut self, key: &str, value: &str) -> Result<()> {
        check(key, value)?;
        self.0.retain(|(name, _)| name != key);
        self.0.insert(0, (key.into(), value.into()));
        self.0.truncate(MAX_MEMBERS);
        Ok(())
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| name != key);
    }

    /// All members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list made to fit into a header of so many bytes: whole members go, those longer than 128 bytes
    /// first, then from the end.
    pub fn shortened(mut self, max_bytes: usize) -> Self {
        while self.header_length() > max_bytes {
            let long = self.0.iter().rposition(|member| member_length(member) > LONG_MEMBER);
            let Some(place) = long.or(self.0.len().checked_sub(1)) else {
                break;
            };
            self.0.remove(place);
        }
        self
    }

    fn header_length(&self) -> usize {
        let members: usize = self.0.iter().map(member_length).sum();
        members + self.0.len().saturating_sub(1)
    }

    fn read_member(&mut self, member: &str) -> Result<()> {
        let member = trim_ows(member);
        if member.is_empty() {
            return Ok(());
        }
        let (key, value) = member.split_once('=').ok_or(Error::TraceState("a member has no value"))?;
        check(key, value)?;
        if self.get(key).is_some() {
            return Err(Error::TraceState("a key comes twice"));
        }
        if self.0.len() == MAX_MEMBERS {
            return Err(Error::TraceState("it has more than 32 members"));
        }
        self.0.push((key.into(), value.into()));
        Ok(())
    }
}

fn member_length((key, value): &(CompactString, CompactString)) -> usize {
    key.len() + 1 + value.len()
}

fn check(key: &str, value: &str) -> Result<()> {
    if !is_key(key) {
        return Err(Error::TraceState("a key breaks the grammar"));
    }
    if !is_value(value) {
        return Err(Error::TraceState("a value breaks the grammar"));
    }
    Ok(())
}

fn is_key(key: &str) -> bool {
    match key.split_once('@') {
        None => is_identifier(key, MAX_KEY, u8::is_ascii_lowercase),
        Some((tenant, system)) => {
            let tenant_start = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            is_identifier(tenant, MAX_TENANT, tenant_start) && is_identifier(system, MAX_SYSTEM, u8::is_ascii_lowercase)
        }
    }
}

fn is_identifier(text: &str, max: usize, may_start: impl Fn(&u8) -> bool) -> bool {
    let may_follow = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/".contains(&byte);
    text.len() <= max && text.as_bytes().first().is_some_and(may_start) && text.bytes().all(may_follow)
}

fn is_value(value: &str) -> bool {
    let allowed = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b',' && byte != b'=';
    !value.is_empty() && value.len() <= MAX_VALUE && value.bytes().all(allowed) && !value.ends_with(' ')
}

impl FromStr for TraceState {
    type Err = Error;

    fn from_str(header: &str) -> Result<Self> {
        Self::from_headers([header])
    }
}

impl fmt::Display for TraceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (key, value)) in self.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{key}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "tracestate_tests.rs"]
mod tests;
