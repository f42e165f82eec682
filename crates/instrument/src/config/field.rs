//! Validation errors with a field path, in the texts of Kubernetes' `field.Error`.

use std::fmt;

/// One thing that is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    path: String,
    problem: Problem,
    detail: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Invalid(String),
    Required,
    NotSupported(String),
    Duplicate(String),
}

impl FieldError {
    /// A value that must not be there; `value` is already in Go's notation (texts quoted).
    pub(super) fn invalid(path: impl Into<String>, value: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { path: path.into(), problem: Problem::Invalid(value.into()), detail: detail.into() }
    }

    pub(super) fn required(path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { path: path.into(), problem: Problem::Required, detail: detail.into() }
    }

    pub(super) fn not_supported(path: impl Into<String>, value: &str, supported: &[&str]) -> Self {
        let options: Vec<String> = supported.iter().map(|option| format!("{option:?}")).collect();
        Self {
            path: path.into(),
            problem: Problem::NotSupported(format!("{value:?}")),
            detail: format!("supported values: {}", options.join(", ")),
        }
    }

    pub(super) fn duplicate(path: impl Into<String>, value: &str) -> Self {
        Self { path: path.into(), problem: Problem::Duplicate(format!("{value:?}")), detail: String::new() }
    }

    /// The path of the field, for example `tracing.endpoint`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path)?;
        match &self.problem {
            Problem::Invalid(value) => write!(f, "Invalid value: {value}")?,
            Problem::Required => f.write_str("Required value")?,
            Problem::NotSupported(value) => write!(f, "Unsupported value: {value}")?,
            Problem::Duplicate(value) => write!(f, "Duplicate value: {value}")?,
        }
        if self.detail.is_empty() {
            return Ok(());
        }
        write!(f, ": {}", self.detail)
    }
}

/// All that is wrong with a configuration, printed as Kubernetes aggregates errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldErrors {
    /// An error if there is anything to complain about.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.0.as_slice() {
            return only.fmt(f);
        }
        f.write_str("[")?;
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            error.fmt(f)?;
        }
        f.write_str("]")
    }
}

/// The path of a child field; a configuration of its own has no parent path.
pub(super) fn child(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}
