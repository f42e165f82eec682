//! `clew capture` as a user runs it, with what needs no cluster: signals, kills, exit codes, the summary.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use clew_collect::capture::{BadLines, Capture, ReadOptions};

struct Clew {
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Clew {
    fn capture(out: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_clew"))
            .arg("capture")
            .arg("--out")
            .arg(out)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("clew runs");
        let errors = BufReader::new(child.stderr.take().expect("stderr"));
        Self { child, errors }
    }

    /// Reads on until a line holds this; gives what stands between it and the next slash.
    fn told(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.errors.read_line(&mut line).expect("readable") > 0, "ended before it told {start:?}");
            if let Some((_, rest)) = line.split_once(start) {
                return rest.split('/').next().expect("a part").trim().to_owned();
            }
        }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(name).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill runs").success());
    }

    fn end(mut self) -> (Option<i32>, String, String) {
        let (mut text, mut errors) = (String::new(), String::new());
        self.child.stdout.take().expect("stdout").read_to_string(&mut text).expect("readable");
        self.errors.read_to_string(&mut errors).expect("readable");
        (self.child.wait().expect("ended").code(), text, errors)
    }
}

fn post(address: &str, id: u32) {
    let body = format!(r#"{{"items":[{{"auditID":"{id}"}}]}}"#);
    let length = body.len();
    let mut stream = TcpStream::connect(address).expect("connect");
    write!(
        stream,
        "POST /audit/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn read(out: &Path) -> (u64, BadLines) {
    let mut bad = BadLines::default();
    let capture = Capture::open(out).expect("a capture");
    let read = capture.read(&ReadOptions::default(), &mut bad, &mut |_, _| ControlFlow::Continue(()));
    (read.lines, bad)
}

const WEBHOOK: [&str; 4] = ["--sources", "audit", "--audit-webhook", "127.0.0.1:0"];

#[test]
fn a_signal_ends_the_recording_well() {
    for signal in ["-TERM", "-INT"] {
        let folder = tempfile::tempdir().expect("folder");
        let out = folder.path().join("deep/er");
        let mut clew = Clew::capture(&out, &[&WEBHOOK[..], &["--output", "json"]].concat());
        let address = clew.told("webhook at http://");
        post(&address, 1);
        clew.signal(signal);
        let (code, text, _) = clew.end();
        assert_eq!(code, Some(0));
        let summary: serde_json::Value = serde_json::from_str(&text).expect("a JSON summary");
        assert_eq!(summary["files"][0]["lines"], 1, "{text}");
        let (lines, bad) = read(&out);
        assert!(lines == 1 && bad.is_empty(), "{bad}");
    }
}

#[test]
fn a_kill_loses_no_more_than_a_second() {
    let folder = tempfile::tempdir().expect("folder");
    let mut clew = Clew::capture(folder.path(), &WEBHOOK);
    let address = clew.told("webhook at http://");
    for id in 0..100 {
        post(&address, id);
    }
    std::thread::sleep(Duration::from_millis(1500));
    clew.signal("-KILL");
    let (code, ..) = clew.end();
    assert_eq!(code, None);
    let (lines, bad) = read(folder.path());
    assert_eq!(lines, 100);
    assert!(bad.to_string().contains("breaks off after line 100"), "{bad}");
}

#[test]
fn it_ends_after_the_time_given() {
    let folder = tempfile::tempdir().expect("folder");
    let begin = Instant::now();
    let (code, text, _) = Clew::capture(folder.path(), &[&WEBHOOK[..], &["--for", "300ms"]].concat()).end();
    assert_eq!(code, Some(0));
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert!(text.contains("audit.log.zst           0 lines, 0 B in "), "{text}");
}

#[test]
fn nothing_to_record_is_a_failure_that_tells_what_to_do() {
    let folder = tempfile::tempdir().expect("folder");
    let (code, text, errors) = Clew::capture(folder.path(), &["--sources", "audit"]).end();
    assert_eq!((code, text.as_str()), (Some(1), ""));
    assert!(errors.contains("audit: not recorded: name --audit-log FILE or --audit-webhook ADDR"), "{errors}");
    assert!(errors.contains("error: nothing to record into "), "{errors}");
}

#[test]
fn a_capture_is_not_written_over() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("otlp.jsonl"), "").expect("write");
    let (code, _, errors) = Clew::capture(folder.path(), &WEBHOOK).end();
    assert_eq!(code, Some(1));
    assert!(errors.contains("otlp.jsonl is there already: record into another folder, or remove it"), "{errors}");
}

#[test]
fn an_open_port_is_warned_of() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = ["--sources", "audit", "--audit-webhook", "0.0.0.0:0", "--for", "100ms"];
    let (_, _, errors) = Clew::capture(folder.path(), &arguments).end();
    assert!(errors.contains("0.0.0.0:0 is open to the network, without TLS or authentication"), "{errors}");
}
