//! Regular expressions of strangers: bounded, and matching a value as a whole.

use regex::{Regex, RegexBuilder};

/// How much memory a compiled expression may take.
const MAX_SIZE: usize = 256 * 1024;

/// The expression that matches a value as a whole, or why there is none.
pub(super) fn whole(pattern: &str) -> Result<Regex, String> {
    // The bare pattern first: closing the bracket that is put around it must not be part of it.
    let checked = RegexBuilder::new(pattern).size_limit(MAX_SIZE).build();
    let anchored = checked.and_then(|_| RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(MAX_SIZE).build());
    anchored.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        format!("this is no regular expression that clew takes: {reason}")
    })
}
