//! A cluster's name: part of a folder, of a cgroup and of command lines, so it is kept simple.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What tells the clusters on one machine apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

const LONGEST: usize = 24;

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The cgroup that holds the cluster's containers, below the root of each hierarchy.
    pub fn cgroup(&self) -> String {
        format!("clew-{}", self.0)
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let simple = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let edges = text.starts_with('-') || text.ends_with('-');
        if text.is_empty() || text.len() > LONGEST || edges || !text.chars().all(simple) {
            return Err(format!("use 1 to {LONGEST} of a-z, 0-9 and '-' inside"));
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_that_would_leave_their_folder_are_refused() {
        for text in ["", "..", "a/b", "-a", "a-", "A", "a b", &"a".repeat(25)] {
            assert!(text.parse::<Name>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_plain_name_is_taken() {
        assert_eq!("busy-1".parse::<Name>().unwrap().cgroup(), "clew-busy-1");
    }
}
