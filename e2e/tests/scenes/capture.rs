//! A running `clew capture`, and what `clew weave` makes of it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clew_e2e::{Cluster, Identity};
use serde_json::Value;

use crate::clew::{CLUSTER, binary, lines};
use crate::harness::eventually;

/// A recording of all sources; killed with the test.
pub(crate) struct Capture {
    child: Child,
    out: PathBuf,
}

impl Capture {
    /// Begins to record; returns when every change is seen from here on.
    pub(crate) fn start(cluster: &Cluster, out: PathBuf, spans: u16) -> Self {
        let log = out.with_extension("log");
        let mut command = Command::new(binary());
        command.arg("capture").arg("--out").arg(&out).arg("--otlp").arg(spans.to_string()).args(["--otlp-http", "0"]);
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        command.arg("--audit-log").arg(cluster.folder().audit_log());
        let output = std::fs::File::create(&log).unwrap();
        let child = command.stdout(Stdio::null()).stderr(output).spawn().unwrap();
        let capture = Self { child, out };
        eventually("the recording to begin", || {
            std::fs::read_to_string(&log).unwrap().contains("sees every change from here on").then_some(())
        });
        capture
    }

    /// Ends the recording; gives its folder.
    pub(crate) fn end(mut self) -> PathBuf {
        let kill = Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status().unwrap();
        assert!(kill.success() && self.child.wait().unwrap().success(), "the recording ends well");
        self.out.clone()
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The journeys of a capture with these sources, by `clew weave`.
pub(crate) fn woven(capture: &Path, sources: &str) -> Vec<Value> {
    let mut command = Command::new(binary());
    command.args(["weave", "--output", "jsonl", "--cluster", CLUSTER, "--sources", sources]).arg(capture);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    lines(&output.stdout)
}
