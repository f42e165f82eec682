//! What people read first: the help texts, as snapshots.

use std::process::Command;

fn clew(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_clew"))
        .args(arguments)
        .env("COLUMNS", "100")
        .env_remove("CLEW_OUTPUT")
        .output()
        .expect("clew runs");
    let code = output.status.code().expect("an exit code");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("exit code {code}\n{text}{errors}")
}

#[test]
fn help_of_clew() {
    insta::assert_snapshot!(clew(&["--help"]));
}

#[test]
fn help_of_weave() {
    insta::assert_snapshot!(clew(&["weave", "--help"]));
}

#[test]
fn help_of_trace() {
    insta::assert_snapshot!(clew(&["trace", "--help"]));
}

#[test]
fn help_of_capture() {
    insta::assert_snapshot!(clew(&["capture", "--help"]));
}

#[test]
fn help_of_completions() {
    insta::assert_snapshot!(clew(&["completions", "--help"]));
}

#[test]
fn a_wrong_flag_is_a_usage_error() {
    insta::assert_snapshot!(clew(&["capture", "--out", "x", "--for", "soon"]));
}

#[test]
fn completions_name_every_command() {
    let script = clew(&["completions", "bash"]);
    assert!(script.starts_with("exit code 0"));
    for command in ["capture", "completions", "trace", "weave"] {
        assert!(script.contains(&format!("clew__subcmd__{command}")), "{command}");
    }
}

#[test]
fn colours_stay_away_from_a_pipe() {
    assert!(!clew(&["--help"]).contains('\u{1b}'));
    assert!(!clew(&["capture", "--out", "/dev/null/x", "--sources", "audit"]).contains('\u{1b}'));
}
