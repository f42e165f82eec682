//! What is wrong with a parameter.

/// A parameter that cannot be used: its name, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("parameter {name}: {problem}")]
pub struct BadParameter {
    /// Which one.
    pub name: String,
    /// What is wrong with it, and what to write instead.
    pub problem: String,
}

impl BadParameter {
    /// The parameter of this name has this problem.
    pub fn new(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { name: name.into(), problem: problem.into() }
    }
}

/// The beginning of a value, as an error repeats it.
pub(super) fn quote(value: &str) -> String {
    const SHOWN: usize = 60;
    let cut: String = value.chars().take(SHOWN).collect();
    let more = if cut.len() < value.len() { "…" } else { "" };
    format!("{cut:?}{more}")
}
