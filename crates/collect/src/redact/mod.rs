//! Redaction: Secret values, tokens and marked objects are replaced by a keyed hash before anything is kept.
//!
//! Pure functions over JSON text. What is not redacted keeps its bytes: the text is edited in place rather than
//! parsed and written anew. The same value under the same key gives the same hash, so that a change still shows.

mod answer;
mod audit;
mod json;
mod marks;
mod metadata;
mod object;
mod patch;
mod redactor;
mod secret;

pub use marks::Marks;
pub use redactor::{REDACTED_PREFIX, Redactor};

/// Whether a resource holds secrets, by its plural name in the API.
pub(crate) fn is_secret_resource(resource: &str) -> bool {
    resource == "secrets"
}
