//! A condition of an object's status: what its controller says of it.

use std::fmt;
use std::str::FromStr;

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// What stands in a line for a word that is not there.
const NOTHING: &str = "-";

/// A condition of an object's status. As text it is one line: `Ready=False 2026-01-01T00:00:00Z NotReady: two of three run`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Condition {
    /// `Ready`, `Available`.
    #[serde(rename = "type")]
    pub kind: CompactString,
    /// `True`, `False` or `Unknown`.
    pub status: CompactString,
    /// Why, in a word; empty where nobody said.
    pub reason: CompactString,
    /// Why, in a sentence; empty where nobody said.
    pub message: Box<str>,
    /// Since when, to the second.
    pub time: Option<Time>,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word =
            |text: &str| if text.is_empty() { NOTHING.to_owned() } else { text.replace(char::is_whitespace, "_") };
        let time = self.time.map_or_else(|| NOTHING.to_owned(), |time| time.to_string());
        let message = self.message.replace(['\n', '\r'], " ");
        write!(f, "{}={} {time} {}: {message}", word(&self.kind), word(&self.status), word(&self.reason))
    }
}

/// The text is not a condition's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACondition;

impl FromStr for Condition {
    type Err = NotACondition;

    fn from_str(line: &str) -> Result<Self, NotACondition> {
        let (kind, rest) = line.split_once('=').ok_or(NotACondition)?;
        let mut words = rest.splitn(3, ' ');
        let (Some(status), Some(time), Some(words)) = (words.next(), words.next(), words.next()) else {
            return Err(NotACondition);
        };
        let (reason, message) = words.split_once(": ").ok_or(NotACondition)?;
        let word = |text: &str| CompactString::from(if text == NOTHING { "" } else { text });
        Ok(Self {
            kind: word(kind),
            status: word(status),
            reason: word(reason),
            message: message.into(),
            time: time.parse().ok(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_comes_back_from_its_line() {
        let time = "2026-01-01T00:00:00Z".parse().ok();
        let full = Condition {
            kind: "Ready".into(),
            status: "False".into(),
            reason: "ContainersNotReady".into(),
            message: "containers with unready status: [a=b: c]".into(),
            time,
        };
        assert_eq!(full.to_string().parse(), Ok(full));
        let bare = Condition { kind: "Ready".into(), status: "True".into(), ..Condition::default() };
        assert_eq!(bare.to_string(), "Ready=True - -: ");
        assert_eq!(bare.to_string().parse(), Ok(bare));
    }

    #[test]
    fn a_condition_is_one_line_whatever_it_says() {
        let odd = Condition { kind: "A B".into(), message: "one\ntwo".into(), ..Condition::default() };
        assert_eq!(odd.to_string(), "A_B=- - -: one two");
        assert_eq!("nonsense".parse::<Condition>(), Err(NotACondition));
    }
}
