//! Command lines from pairs of name and value.

use std::path::PathBuf;

/// The arguments `--name=value` for flags whose values are paths or text.
macro_rules! flags {
    ($($name:literal: $value:expr),* $(,)?) => {
        vec![$(format!("--{}={}", $name, $crate::node::components::flags::Shown::shown(&$value))),*]
    };
}
pub(crate) use flags;

/// Text and paths as a flag's value.
pub(crate) trait Shown {
    fn shown(&self) -> String;
}

impl Shown for PathBuf {
    fn shown(&self) -> String {
        self.display().to_string()
    }
}

impl Shown for &str {
    fn shown(&self) -> String {
        (*self).to_owned()
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.clone()
    }
}
