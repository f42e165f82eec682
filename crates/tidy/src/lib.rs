//! The house rules of clew as checks, for its own tests only.
//!
//! A rule without a check decays. Each module is one rule: a pure function from sources or `cargo metadata` to
//! faults, where a fault is a line that says what is wrong and what to do. The rules run over the repository in
//! `tests/tidy.rs`; exceptions stand in `exceptions.toml` and `deny.toml`, each with its reason, and one that is
//! no longer needed is a fault too.

pub mod deny;
pub mod exceptions;
pub mod layers;
pub mod length;
pub mod lints;
pub mod map;
pub mod metadata;
pub mod pages;
pub mod sources;
pub mod test_names;
pub mod words;
