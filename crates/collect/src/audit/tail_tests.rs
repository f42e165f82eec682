//! A log under all that happens to logs.

use std::fs::OpenOptions;
use std::io::Write;

use super::*;

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("open");
    file.write_all(text.as_bytes()).expect("write");
}

fn read(tail: &mut Tail) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let look = tail.look().expect("readable");
        lines.extend(look.completed.lines);
        if !look.more {
            return lines;
        }
    }
}

#[test]
fn only_what_is_added_is_read_and_whole_lines_only() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    append(&path, "before\n");
    let mut tail = Tail::at_end(&path, 100);
    assert!(read(&mut tail).is_empty());
    append(&path, "one\ntw");
    assert_eq!(read(&mut tail), ["one"]);
    append(&path, "o\n");
    assert_eq!(read(&mut tail), ["two"]);
}

#[test]
fn a_file_that_comes_later_is_read_from_its_start() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    let mut tail = Tail::at_end(&path, 100);
    assert!(read(&mut tail).is_empty() && !tail.is_open());
    append(&path, "one\n");
    assert_eq!(read(&mut tail), ["one"]);
}

#[test]
fn rotation_loses_no_line() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    let mut tail = Tail::at_end(&path, 100);
    append(&path, "1\n");
    assert_eq!(read(&mut tail), ["1"]);
    append(&path, "2\n");
    fs::rename(&path, folder.path().join("audit-1.log")).expect("rotate");
    append(&folder.path().join("audit-1.log"), "3\n");
    append(&path, "4\n");
    assert_eq!(read(&mut tail), ["2", "3", "4"]);
    fs::rename(&path, folder.path().join("audit-2.log")).expect("rotate");
    assert!(read(&mut tail).is_empty(), "no file of that name for a moment");
    append(&path, "5\n");
    assert_eq!(read(&mut tail), ["5"]);
}

#[test]
fn a_truncated_file_is_read_from_its_start() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    append(&path, "a long line before\n");
    let mut tail = Tail::at_end(&path, 100);
    assert!(read(&mut tail).is_empty());
    fs::write(&path, "new\n").expect("truncate");
    assert_eq!(read(&mut tail), ["new"]);
}

/// What a second run reads that begins where the first one was.
fn resumed(path: &Path, place: Place) -> (Vec<String>, bool) {
    let (mut next, whole) = Tail::resume(path, 100, place).expect("readable");
    (read(&mut next), whole)
}

fn place(tail: &mut Tail) -> Place {
    tail.place().expect("readable").expect("a file")
}

#[test]
fn a_later_run_goes_on_after_the_last_whole_line() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    append(&path, "one\nha");
    let mut tail = Tail::at_start(&path, 100);
    assert_eq!(read(&mut tail), ["one"]);
    let place = place(&mut tail);
    append(&path, "lf\nthree\n");
    assert_eq!(resumed(&path, place), (vec!["half".to_owned(), "three".to_owned()], true));
}

#[test]
fn a_later_run_reads_what_was_rotated_away_meanwhile() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    append(&path, "1\n");
    let mut tail = Tail::at_start(&path, 100);
    assert_eq!(read(&mut tail), ["1"]);
    let place = place(&mut tail);
    append(&path, "2\n");
    fs::rename(&path, folder.path().join("audit-1.log")).expect("rotate");
    std::thread::sleep(std::time::Duration::from_millis(20));
    append(&path, "3\n");
    fs::rename(&path, folder.path().join("audit-2.log")).expect("rotate");
    append(&path, "4\n");
    append(&folder.path().join("other.log"), "no\n");
    assert_eq!(resumed(&path, place), (vec!["2".to_owned(), "3".to_owned(), "4".to_owned()], true));
}

#[test]
fn a_later_run_says_when_lines_may_be_lost_and_reads_what_is_there() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("audit.log");
    append(&path, "a long line before\n");
    let mut tail = Tail::at_start(&path, 100);
    read(&mut tail);
    let place = place(&mut tail);
    fs::write(&path, "truncated, and longer than before by now\n").expect("truncate");
    assert_eq!(resumed(&path, place), (vec!["truncated, and longer than before by now".to_owned()], false));
    append(&folder.path().join("new"), "another file\n");
    fs::rename(folder.path().join("new"), &path).expect("replace");
    assert_eq!(resumed(&path, place), (vec!["another file".to_owned()], false));
}
