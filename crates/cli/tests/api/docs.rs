//! The documentation's commands: blocks marked `sh run` are run, and the flags of all others must be there.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::clew::{Clew, clean, root};

/// A block of code on a page.
struct Block {
    /// Where it is: `docs/up.md:51`.
    place: String,
    /// What stands behind its first fence: `sh run`.
    info: String,
    lines: Vec<String>,
}

/// The files below a folder whose names begin and end so, in order.
fn files(folder: &str, begin: &str, end: &str) -> Vec<String> {
    let names = std::fs::read_dir(root().join(folder)).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.filter(|name| name.starts_with(begin) && name.ends_with(end));
    let mut files: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    files
}

fn pages() -> Vec<String> {
    let mut pages = files("docs", "", ".md");
    pages.push("README.md".to_owned());
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block {
                    place: format!("{page}:{}", number + 1),
                    info: info.to_owned(),
                    lines: Vec::new(),
                });
            }
        } else if inside {
            blocks.last_mut().unwrap().lines.push(line.to_owned());
        }
    }
    assert!(!inside, "{page}: a block of code has no end");
    blocks
}

/// Commands as they are where clew is installed.
fn installed(commands: &str) -> String {
    commands.replace("target/release/clew", "clew").replace("cargo run --", "clew")
}

/// A folder to work in that has the repository's captures.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("captures"), home.path().join("captures")).unwrap();
    home
}

/// A shell that finds the clew under test.
fn bash(home: &TempDir, script: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_clew"));
    let mut bash = clean(Command::new("bash"), home.path());
    let path = std::env::var("PATH").unwrap();
    bash.env("PATH", format!("{}:{path}", binary.parent().unwrap().display()));
    bash.current_dir(home).args(["-euo", "pipefail", "-c", script]);
    bash
}

/// Some commands run until they are ended, or need a cluster: of these, only what they are asked is looked at. A page of help
/// comes after whatever stands before it was understood.
#[test]
fn every_flag_in_the_docs_and_in_the_examples_of_the_help_is_there() {
    let home = home();
    let mut commands: Vec<(String, String)> = Vec::new();
    for block in pages().iter().flat_map(|page| blocks(page)) {
        commands.extend(block.lines.iter().map(|line| (block.place.clone(), line.clone())));
    }
    for page in files("crates/cli/tests/snapshots", "help__", ".snap") {
        let text = std::fs::read_to_string(root().join(&page)).unwrap();
        // What is said of an example stands two spaces behind it.
        let examples = text.lines().filter_map(|line| line.strip_prefix("  clew ")?.split("  ").next());
        commands.extend(examples.map(|example| (page.clone(), format!("clew {example}"))));
    }
    let mut looked_at = 0;
    for (place, line) in commands {
        let line = installed(&line);
        let command = line.split([';', '|', '>', '#']).next().unwrap();
        // What follows `kubectl` is for kubectl; the cluster's tests run it. A quote that is still open goes on in the next line.
        let skipped =
            command.starts_with("clew kubectl") || command.contains('…') || command.matches('"').count() % 2 == 1;
        if !command.starts_with("clew ") || skipped {
            continue;
        }
        let output = bash(&home, &format!("{command} --help")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: {command}: {said}");
        looked_at += 1;
    }
    assert!(looked_at > 50, "only {looked_at} commands were found");
}

#[test]
fn the_commands_that_are_marked_so_run() {
    let clew = Clew::over("captures/broken", None);
    let (went_well, journeys, errors) =
        clew.ask(&["journeys", "--output", "jsonl", "--server", &format!("http://{}", clew.address)]);
    assert!(went_well, "{errors}");
    let first: serde_json::Value = serde_json::from_str(journeys.lines().next().unwrap()).unwrap();
    let mut run = 0;
    for block in pages().iter().flat_map(|page| blocks(page)).filter(|block| block.info == "sh run") {
        let home = home();
        let script = installed(&block.lines.join("\n")).replace("localhost:2539", &clew.address);
        let script = script.replace("TRACE_ID", first["journey"].as_str().unwrap());
        let mut bash = bash(&home, &script);
        let output = bash.env("CLEW_SERVER", format!("http://{}", clew.address)).output().unwrap();
        let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{}: {script}\n{errors}", block.place);
        assert!(!out.trim().is_empty(), "{}: {script}\nsays nothing", block.place);
        run += 1;
    }
    assert!(run >= 6, "only {run} blocks were found");
}

#[test]
fn the_readme_shows_what_clew_prints() {
    let home = home();
    let output = bash(&home, "clew weave captures/rollout").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = blocks("README.md").into_iter().find(|block| block.info.is_empty()).unwrap();
    assert_eq!(shown.lines.join("\n"), printed.trim_end());
}
