//! Where the harness keeps what it builds and what a running cluster writes.

use std::path::{Path, PathBuf};

use crate::cluster::{Identity, Name};
use crate::{Error, Result};

/// A unix socket's address is at most this long.
const SOCKET_PATH_LIMIT: usize = 107;
/// The longest socket name that a run folder holds.
const LONGEST_SOCKET: &str = "reach-65535.sock";

/// The user's cache folder of clew: builds, images and the folders of running clusters.
pub fn cache() -> Result<PathBuf> {
    let xdg = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let Some(base) = xdg.or_else(home) else {
        return Err(Error::Unfit("no cache folder: set HOME or XDG_CACHE_HOME".to_owned()));
    };
    Ok(base.join("clew"))
}

/// The repository that this program was built from.
pub fn repository() -> PathBuf {
    let e2e = Path::new(env!("CARGO_MANIFEST_DIR"));
    e2e.parent().unwrap_or(e2e).to_owned()
}

/// The folder of one running cluster: what its components read and write.
#[derive(Clone, Debug)]
pub struct RunDir(PathBuf);

impl RunDir {
    /// The folder of the cluster of this name, which may not exist yet.
    pub fn of(name: &Name) -> Result<Self> {
        let run = Self(cache()?.join("clusters").join(name.as_str()));
        run.check()?;
        Ok(run)
    }

    /// The folder at `path`, for the helper processes that are told it.
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    fn check(&self) -> Result<()> {
        let length = self.0.join(LONGEST_SOCKET).as_os_str().len();
        if length > SOCKET_PATH_LIMIT {
            let path = self.0.display();
            return Err(Error::Unfit(format!("{path} is too long for a socket: set XDG_CACHE_HOME to a shorter one")));
        }
        // Inside the cluster both are covered by folders of its own.
        if self.0.starts_with("/var") || self.0.starts_with("/run") {
            let path = self.0.display();
            return Err(Error::Unfit(format!("{path} is hidden inside: set XDG_CACHE_HOME outside /var and /run")));
        }
        Ok(())
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The API server's audit log: every request but its start, with bodies.
    pub fn audit_log(&self) -> PathBuf {
        self.0.join("audit.log")
    }

    /// The kubeconfig of one identity; it is valid inside and outside.
    pub fn kubeconfig(&self, identity: Identity) -> PathBuf {
        self.0.join("kubeconfig").join(identity.to_string())
    }

    /// Where containerd listens; reachable from outside too.
    pub fn containerd_socket(&self) -> PathBuf {
        self.0.join("containerd.sock")
    }

    /// The log of one part.
    pub fn log(&self, part: &str) -> PathBuf {
        self.logs().join(format!("{part}.log"))
    }

    /// The folder of all logs.
    pub fn logs(&self) -> PathBuf {
        self.0.join("logs")
    }

    pub(crate) fn pki(&self, file: &str) -> PathBuf {
        self.0.join("pki").join(file)
    }

    pub(crate) fn config(&self, file: &str) -> PathBuf {
        self.0.join("config").join(file)
    }

    /// What components store; a tmpfs inside, so that it goes with the cluster.
    pub(crate) fn state(&self) -> PathBuf {
        self.0.join("state")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.0.join("settings.json")
    }

    pub(crate) fn status(&self) -> PathBuf {
        self.0.join("status.json")
    }

    /// Locked by the keeper for as long as it lives.
    pub(crate) fn alive(&self) -> PathBuf {
        self.0.join("alive")
    }

    pub(crate) fn api_socket(&self) -> PathBuf {
        self.0.join("api.sock")
    }

    pub(crate) fn reach_socket(&self, port: u16) -> PathBuf {
        self.0.join(format!("reach-{port}.sock"))
    }

    /// Makes the folder and those inside it, for root's eyes only: it holds keys and tokens.
    pub(crate) fn create(&self) -> Result<()> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut private = std::fs::DirBuilder::new();
        private.recursive(true).mode(0o700);
        for folder in ["logs", "pki", "config", "config/cni", "state", "kubeconfig"] {
            let path = self.0.join(folder);
            private.create(&path).map_err(Error::file("create", &path))?;
        }
        Ok(())
    }
}

/// Writes a file that the cluster needs.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content).map_err(Error::file("write", path))
}
