//! The binary as a user runs it, without a terminal.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_collect::capture::{BadLines, Capture, ReadOptions, Source};

/// What a command said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) errors: String,
}

impl Said {
    /// Everything, with what differs from run to run left out.
    pub(crate) fn text(&self) -> String {
        format!("exit code {}\n{}--- standard error\n{}", self.code, self.out, without_rate(&self.errors))
    }
}

/// Runs clew in the repository's root, so that the paths in its messages are the same everywhere.
pub(crate) fn clew(arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_clew"))
        .args(arguments)
        .current_dir(root())
        .env_remove("CLEW_OUTPUT")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("clew runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code().expect("an exit code"), out: text(output.stdout), errors: text(output.stderr) }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every line of a capture, as it was recorded.
pub(crate) fn raw(capture: &str) -> Vec<(Source, String)> {
    let mut lines = Vec::new();
    let mut bad = BadLines::default();
    let capture = Capture::open(root().join(capture)).expect("a capture");
    capture.read(&ReadOptions::default(), &mut bad, &mut |line, _| {
        lines.push((line.source, String::from_utf8(line.bytes.to_vec()).expect("UTF-8")));
        ControlFlow::Continue(())
    });
    assert!(bad.is_empty(), "{bad}");
    lines
}

/// Writes lines as the plain files of a capture.
pub(crate) fn write(folder: &Path, lines: &[(Source, String)]) {
    for source in Source::ALL {
        let own = lines.iter().filter(|(of, _)| *of == source);
        let text: Vec<&str> = own.flat_map(|(_, line)| [line.as_str(), "\n"]).collect();
        std::fs::write(folder.join(source.file_name()), text.concat()).expect("written");
    }
}

/// `12345 facts/s` depends on the machine.
fn without_rate(errors: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" facts/s").and_then(|line| line.rsplit_once(' ')) {
        Some((before, _)) => format!("{before} [rate] facts/s\n"),
        None => format!("{line}\n"),
    };
    errors.lines().map(line).collect()
}
