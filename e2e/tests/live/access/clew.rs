//! A running `clew up` that lets in the users of its cluster.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use clew_e2e::{Cluster, Identity};
use serde_json::Value;

use super::asked::{Answer, Asked};

/// Clew's own token.
pub(crate) const OWN: &str = "clews-own-token";

/// A clew that runs; killed with the test.
pub(crate) struct Clew {
    child: Child,
    url: String,
}

impl Clew {
    /// Starts it, with everything that the cluster tells: its watch, its audit log, its spans.
    pub(crate) fn up(cluster: &Cluster, folder: &Path, otlp: u16) -> Self {
        let token = folder.join("token");
        std::fs::write(&token, OWN).unwrap();
        let mut command = Command::new(clew_e2e::images::clew_binary(&mut |_| {}).unwrap());
        command.args(["up", "--no-open", "--cluster", "test", "--http", "127.0.0.1:0", "--access", "kubernetes"]);
        command.args(["--otlp-http", "127.0.0.1:0", "--otlp-grpc"]).arg(format!("127.0.0.1:{otlp}"));
        command.arg("--data").arg(folder.join("data")).arg("--key-file").arg(folder.join("key"));
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        command.arg("--audit-log").arg(cluster.folder().audit_log());
        command.arg("--token-file").arg(token);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("clew up said {line:?}")).to_owned();
        Self { child, url }
    }

    /// Asks with a token, or with none.
    pub(crate) fn ask(&self, token: Option<&str>, asked: &Asked) -> Answer {
        let mut command = self.curl(token, &asked.path);
        command.args(["-m", "60", "-w", "\n%{http_code}"]).args(&asked.with);
        if asked.call.is_some() {
            command.args(["--data-binary", "@-"]);
        }
        // A stream never ends: what it says in a moment is its answer here.
        if asked.path.ends_with("/stream") {
            command.args(["-m", "2"]);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(asked.call.as_deref().unwrap_or_default()).unwrap();
        drop(input);
        let told = child.wait_with_output().unwrap().stdout;
        let end = told.iter().rposition(|byte| *byte == b'\n').unwrap_or_else(|| panic!("no answer to {asked}"));
        let status = std::str::from_utf8(&told[end + 1..]).unwrap().parse().unwrap();
        Answer { status, body: told[..end].to_vec() }
    }

    /// What a path answers, in JSON.
    pub(crate) fn json(&self, token: &str, path: &str) -> Value {
        let answer = self.ask(Some(token), &Asked::get(path));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Follows the live stream from now on.
    pub(crate) fn stream(&self, token: &str) -> Stream {
        let mut child =
            self.curl(Some(token), "/api/v1/journeys/stream").arg("-N").stdout(Stdio::piped()).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                heard.lock().unwrap().extend_from_slice(&bytes[..read]);
            }
        });
        Stream { token: token.to_owned(), child, told }
    }

    fn curl(&self, token: Option<&str>, path: &str) -> Command {
        let mut command = Command::new("curl");
        command.arg("-gsS").arg(format!("{}{path}", self.url));
        if let Some(token) = token {
            command.arg("-H").arg(format!("authorization: Bearer {token}"));
        }
        command
    }
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A live stream that is followed.
pub(crate) struct Stream {
    pub(crate) token: String,
    child: Child,
    told: Arc<Mutex<Vec<u8>>>,
}

impl Stream {
    /// All that it told so far.
    pub(crate) fn told(&self) -> String {
        String::from_utf8_lossy(&self.told.lock().unwrap()).into_owned()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
