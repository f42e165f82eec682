//! A recording under test: started on free ports, ended, and read back.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod api_server;
pub(crate) mod live;
pub(crate) mod memory_store;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clew_collect::CollectError;
use clew_collect::capture::{BadLines, Capture, ReadOptions, Source};
use clew_collect::record::{self, Counts, Plan, RecordSummary};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;

const PATIENCE: Duration = Duration::from_secs(20);

/// A plan that records nothing yet.
pub(crate) fn plan(out: &Path) -> Plan {
    Plan { out: out.to_owned(), key: [3; 32], audit: None, watch: None, otlp: None }
}

/// Starts a recording that must fail.
pub(crate) async fn try_record(plan: Plan) -> Result<RecordSummary, CollectError> {
    let (_stop, stopped) = watch::channel(false);
    record::record(plan, Arc::new(Counts::default()), Arc::new(|_: &_| {}), stopped).await
}

/// A recording that runs.
pub(crate) struct Recording {
    folder: TempDir,
    pub(crate) counts: Arc<Counts>,
    notices: Arc<Mutex<Vec<String>>>,
    stop: watch::Sender<bool>,
    task: JoinHandle<Result<RecordSummary, CollectError>>,
}

impl Recording {
    pub(crate) fn start(plan: impl FnOnce(&Path) -> Plan) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let counts = Arc::new(Counts::default());
        let notices = Arc::new(Mutex::new(Vec::new()));
        let (stop, stopped) = watch::channel(false);
        let kept = Arc::clone(&notices);
        let notify: record::Notify = Arc::new(move |notice| kept.lock().expect("lock").push(notice.text.clone()));
        let task = tokio::spawn(record::record(plan(folder.path()), Arc::clone(&counts), notify, stopped));
        Self { folder, counts, notices, stop, task }
    }

    pub(crate) async fn wait_until(&self, mut holds: impl FnMut(&Self) -> bool) {
        let end = tokio::time::Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(tokio::time::Instant::now() < end, "waited in vain; told: {:?}", self.notices());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) async fn wait_for_lines(&self, source: Source, lines: u64) {
        self.wait_until(|recording| recording.counts.of(source).snapshot().lines >= lines).await;
    }

    /// Waits for a notice that starts so; gives what follows, up to `until`.
    pub(crate) async fn told(&self, start: &str, until: &str) -> String {
        let find = |recording: &Self| recording.notices().into_iter().find(|notice| notice.starts_with(start));
        self.wait_until(|recording| find(recording).is_some()).await;
        let notice = find(self).expect("found above");
        let rest = &notice[start.len()..];
        if until.is_empty() { rest.to_owned() } else { rest.split(until).next().expect("a part").to_owned() }
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        self.notices.lock().expect("lock").clone()
    }

    pub(crate) fn out_has(&self, file: &str) -> bool {
        self.folder.path().join(file).exists()
    }

    /// Ends the recording within a few seconds, and reads what it wrote.
    pub(crate) async fn end(self) -> (RecordSummary, BTreeMap<Source, Vec<String>>) {
        self.stop.send_replace(true);
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("ends when asked to");
        let summary = ended.expect("no panic").expect("recorded");
        let mut lines = BTreeMap::new();
        for file in &summary.files {
            lines.insert(file.source, Vec::new());
        }
        let mut bad = BadLines::default();
        let capture = Capture::open(self.folder.path()).expect("a capture");
        capture.read(&ReadOptions::default(), &mut bad, &mut |line, _| {
            let text = String::from_utf8(line.bytes.to_vec()).expect("UTF-8");
            lines.entry(line.source).or_default().push(text);
            ControlFlow::Continue(())
        });
        assert!(bad.is_empty(), "a recording has no bad line and no broken end: {bad}");
        for file in &summary.files {
            assert_eq!(file.lines, lines[&file.source].len() as u64, "{}", file.path.display());
        }
        (summary, lines)
    }
}

/// Posts a body as a plain HTTP client would; gives the code of the answer.
pub(crate) async fn post(address: &str, path: &str, headers: &[&str], body: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).await.expect("connect");
    let length = body.len();
    let mut head =
        format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\nConnection: close\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await.expect("send");
    stream.write_all(body).await.expect("send");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("answer");
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code")
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).expect("write");
    encoder.finish().expect("finish")
}
