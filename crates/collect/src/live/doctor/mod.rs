//! What works between clew and a cluster, what it is worth, and how to turn on what does not.
//!
//! [`examine`] asks the cluster; [`report`] makes the table of it.

mod check;
mod examine;
mod findings;
mod report;
mod rights;

pub use check::{Check, CheckState};
pub use examine::examine;
pub use findings::{Allowed, Findings, Reach, Right, Running};
pub use report::report;
