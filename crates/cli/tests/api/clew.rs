//! The binary as a user runs it, with a store of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A clew that serves; it is ended when this goes.
pub(crate) struct Clew {
    /// Where it listens.
    pub(crate) address: String,
    child: Child,
    folder: TempDir,
}

impl Clew {
    /// `clew up` over a store with the journeys of a capture.
    pub(crate) fn over(capture: &str, token: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let import =
            command(folder.path()).args(["import", capture, "--cluster", "lab", "--data"]).arg(&data).output().unwrap();
        assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
        let mut up = command(folder.path());
        up.args(["up", "--no-open", "--cluster", "lab", "--data"]).arg(&data);
        if let Some(token) = token {
            let file = folder.path().join("token");
            std::fs::write(&file, token).unwrap();
            up.arg("--token-file").arg(file);
        }
        Self::start(up, folder)
    }

    /// The same with TLS, by a certificate of clew's own making, and a token in the file `token`.
    pub(crate) fn with_tls(capture: &str, token: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, file) = (folder.path().join("data"), folder.path().join("token"));
        let mut import = command(folder.path());
        assert!(import.args(["import", capture, "--cluster", "lab", "--data"]).arg(&data).status().unwrap().success());
        std::fs::write(&file, token).unwrap();
        let mut up = command(folder.path());
        up.args(["up", "--no-open", "--cluster", "lab", "--tls-own", "clew.test", "--data"]).arg(&data);
        up.arg("--token-file").arg(file);
        Self::start(up, folder)
    }

    /// A file in its folder.
    pub(crate) fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// What a command that asks it says: whether it went well, its output, its errors.
    pub(crate) fn ask(&self, arguments: &[&str]) -> (bool, String, String) {
        let output = command(self.folder.path()).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    /// `clew up` over a store that is there already.
    pub(crate) fn at(data: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut up = command(folder.path());
        up.args(["up", "--no-open", "--cluster", "lab", "--data"]).arg(data);
        Self::start(up, folder)
    }

    /// `clew demo` that plays a capture, much faster than it happened.
    pub(crate) fn playing(capture: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut demo = command(folder.path());
        demo.args(["demo", "--no-open", "--speed", "5", "--capture", capture]);
        Self::start(demo, folder)
    }

    fn start(mut command: Command, folder: TempDir) -> Self {
        let anywhere = "127.0.0.1:0";
        command.args(["--http", anywhere, "--otlp-grpc", anywhere, "--otlp-http", anywhere]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("://").map(|(_, address)| address.to_owned());
        let Some(address) = address else {
            let _ = child.kill();
            panic!("clew did not say where it is: {line:?}");
        };
        Self { address: address.trim_end_matches('/').to_owned(), child, folder }
    }
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(folder: &Path) -> Command {
    clean(Command::new(env!("CARGO_BIN_EXE_clew")), folder)
}

/// A command in the repository's root, with nothing of this user's.
pub(crate) fn clean(mut command: Command, folder: &Path) -> Command {
    command.current_dir(root());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CLEW_") || name.starts_with("KUBE")) {
        command.env_remove(name);
    }
    command.env("HOME", folder).env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
    command
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
