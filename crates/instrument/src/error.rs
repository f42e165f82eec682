//! What can go wrong when tracing is set up; nothing goes wrong for a caller once it runs.

use crate::config::FieldErrors;
use std::path::PathBuf;

/// Why tracing could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `--tracing-config-file` was given without a value.
    #[error("tracing config file was empty")]
    NoConfigFile,
    /// The configuration file cannot be read.
    #[error("unable to read tracing configuration from {path:?}: open {path}: {reason}")]
    ReadConfig {
        /// The file.
        path: String,
        /// Why not, in the operating system's words.
        reason: String,
    },
    /// The configuration file is not a `TracingConfiguration`.
    #[error("unable to decode tracing configuration data: {0}")]
    DecodeConfig(String),
    /// The configuration has values that must not be.
    #[error("failed to validate tracing configuration: {0}")]
    InvalidConfig(FieldErrors),
    /// A configuration file was given while the feature is off.
    #[error("{0} feature is not enabled, but tracing config file was provided")]
    GateOff(String),
    /// `--feature-gates` cannot be understood.
    #[error("{0}")]
    Gates(String),
    /// The egress selector's file cannot be read.
    #[error("unable to read egress selector configuration from {path:?} [{reason}]")]
    ReadEgress {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The egress selector's file is not an `EgressSelectorConfiguration`.
    #[error("unable to decode egress selector configuration: {0}")]
    DecodeEgress(String),
    /// The egress selector's configuration has values that must not be.
    #[error("failed to validate egress selector configuration: {0}")]
    InvalidEgress(FieldErrors),
    /// A variable of the environment has a value that cannot be used.
    #[error("environment variable {name} has the value {value:?}: {reason}")]
    Environment {
        /// The variable.
        name: String,
        /// Its value; never that of a header variable, which may hold a secret.
        value: String,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// No exporter has this name.
    #[error("no exporter is called {name:?}; known are: {known}")]
    UnknownExporter {
        /// The name that was asked for.
        name: String,
        /// The names that are registered.
        known: String,
    },
    /// An exporter cannot be made.
    #[error("exporter {name}: {reason}")]
    Exporter {
        /// The exporter's name.
        name: String,
        /// What is missing or wrong.
        reason: String,
    },
    /// The spool's folder cannot be used.
    #[error("spool folder {path:?}: {reason}")]
    Spool {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The thread that exports could not be started.
    #[error("starting the export thread: {0}")]
    Thread(std::io::Error),
}

impl Error {
    pub(crate) fn read_config(path: &str, error: &std::io::Error) -> Self {
        Self::ReadConfig { path: path.to_owned(), reason: system_words(error) }
    }
}

/// The operating system's own words, as Go prints them: lowercase, without the number.
fn system_words(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().collect::<String>() + chars.as_str(),
        None => String::new(),
    }
}
