//! The store that a command opens itself, when no clew has it open.

use std::path::PathBuf;

use clew_store::lake::{Options, Retention};

use super::up::{Keep, Settings};

/// Options of a store that is there: who only looks at one makes none. Tables elsewhere may be looked at from a new folder.
pub(crate) fn existing(options: Options) -> anyhow::Result<Options> {
    if options.tables.is_none() && !options.data.join("tables").is_dir() {
        anyhow::bail!(
            "there is no store in {}: name its folder with --data, or let `clew up` or `clew import` make one",
            options.data.display()
        );
    }
    Ok(options)
}

/// Which store: the one that `clew up` would open, unless a folder is named.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Place {
    /// The folder of the store [default: clew in the user's data folder].
    #[arg(long, value_name = "DIR", env = "CLEW_DATA")]
    data: Option<PathBuf>,
    /// Where its tables are, if not in that folder: another one, or a bucket by its `s3` address.
    #[arg(long, value_name = "URL", env = "CLEW_TABLES")]
    tables: Option<String>,
    /// A file with the settings of `clew up`, which says what these flags do not [default: clew/clew.toml in the user's configuration folder].
    #[arg(long, value_name = "FILE", env = "CLEW_CONFIG")]
    config: Option<PathBuf>,
}

impl Place {
    /// How it is opened by who lets go of nothing.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        Ok(Options { retention: Retention::FOREVER, ..self.keeping(Keep::default())? })
    }

    /// How it is opened by who lets go of what is too old.
    pub(crate) fn keeping(&self, keep: Keep) -> anyhow::Result<Options> {
        let given = Settings { data: self.data.clone(), tables: self.tables.clone(), keep, ..Settings::default() };
        // The user's own file tells where the tables of one store are, which are not those of another.
        let settings = if self.data.is_some() && self.config.is_none() {
            given
        } else {
            given.with_file(self.config.as_deref())?
        };
        settings.lake()
    }
}
