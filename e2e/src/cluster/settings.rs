//! What one running cluster was made of: written by `up` and the keeper, read by the processes inside.

use serde::{Deserialize, Serialize};

use super::Options;
use crate::folders::{RunDir, write};
use crate::tools::Tools;
use crate::{Error, Result};

/// The settings of one running cluster.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) tools: Tools,
    /// The API server's port, the same inside and outside; 0 until the keeper has bound it.
    pub(crate) api_port: u16,
}

impl Settings {
    pub(crate) fn read(run: &RunDir) -> Result<Self> {
        let path = run.settings();
        let text = std::fs::read(&path).map_err(Error::file("read", &path))?;
        serde_json::from_slice(&text).map_err(|source| Error::Content { path, source })
    }

    pub(crate) fn write(&self, run: &RunDir) -> Result<()> {
        let path = run.settings();
        let text = serde_json::to_vec_pretty(self).map_err(|source| Error::Content { path: path.clone(), source })?;
        write(&path, text)
    }
}
