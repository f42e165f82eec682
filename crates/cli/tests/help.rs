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
fn help_of_up() {
    insta::assert_snapshot!(clew(&["up", "--help"]));
}

#[test]
fn help_of_demo() {
    insta::assert_snapshot!(clew(&["demo", "--help"]));
}

#[test]
fn help_of_doctor() {
    insta::assert_snapshot!(clew(&["doctor", "--help"]));
}

#[test]
fn help_of_install() {
    insta::assert_snapshot!(clew(&["install", "--help"]));
}

#[test]
fn help_of_import() {
    insta::assert_snapshot!(clew(&["import", "--help"]));
}

#[test]
fn help_of_export() {
    insta::assert_snapshot!(clew(&["export", "--help"]));
}

#[test]
fn help_of_journeys() {
    insta::assert_snapshot!(clew(&["journeys", "--help"]));
}

#[test]
fn help_of_kubectl() {
    insta::assert_snapshot!(clew(&["kubectl", "--help"]));
}

#[test]
fn help_of_store() {
    insta::assert_snapshot!(clew(&["store", "--help"]));
}

#[test]
fn help_of_sql() {
    insta::assert_snapshot!(clew(&["sql", "--help"]));
}

#[test]
fn a_wrong_flag_is_a_usage_error() {
    insta::assert_snapshot!(clew(&["capture", "--out", "x", "--for", "soon"]));
}

#[test]
fn completions_name_every_command() {
    let script = clew(&["completions", "bash"]);
    assert!(script.starts_with("exit code 0"));
    for command in ["capture", "completions", "demo", "journeys", "kubectl", "sql", "trace", "up", "weave"] {
        assert!(script.contains(&format!("clew__subcmd__{command}")), "{command}");
    }
}

#[test]
fn colours_stay_away_from_a_pipe() {
    assert!(!clew(&["--help"]).contains('\u{1b}'));
    assert!(!clew(&["capture", "--out", "/dev/null/x", "--sources", "audit"]).contains('\u{1b}'));
}
