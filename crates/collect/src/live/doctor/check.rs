//! A line of the doctor's table.

use serde::Serialize;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// It works.
    Ok,
    /// It works in part.
    Partial,
    /// It does not work, or is not there.
    Missing,
    /// Nobody can say from here.
    Unknown,
}

/// A line of the doctor's table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub check: &'static str,
    /// How it is.
    pub state: CheckState,
    /// What was found.
    pub message: String,
    /// What it is worth: what clew shows because of it.
    pub worth: &'static str,
    /// How to turn it on; empty if there is nothing to do.
    pub fix: String,
}
