//! The page: the files that Vite built, embedded when the feature `ui` is on.

mod assets;
mod serve;

pub(crate) use serve::{fallback, is_part};
