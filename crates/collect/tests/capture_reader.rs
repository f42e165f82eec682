//! The contract of the capture reader, over the recordings of a real cluster that the repository holds.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clew_collect::CollectError;
use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures").join(name)
}

fn counts(path: &Path, options: &ReadOptions) -> (BTreeMap<Source, u64>, BadLines) {
    let mut counts = BTreeMap::new();
    let mut bad = BadLines::default();
    let capture = Capture::open(path).expect("a capture");
    capture.read(options, &mut bad, &mut |line, bad| {
        match serde_json::from_slice::<serde::de::IgnoredAny>(line.bytes) {
            Ok(_) => *counts.entry(line.source).or_default() += 1,
            Err(error) => bad.report_json(line, &error),
        }
        ControlFlow::Continue(())
    });
    (counts, bad)
}

fn read_all(path: &Path) -> (BTreeMap<Source, u64>, BadLines) {
    counts(path, &ReadOptions::default())
}

fn expected(audit: u64, watch: u64, otlp: u64) -> BTreeMap<Source, u64> {
    BTreeMap::from([(Source::Audit, audit), (Source::Watch, watch), (Source::Otlp, otlp)])
}

fn unpacked(name: &str) -> Vec<u8> {
    zstd::decode_all(fs::File::open(recorded(name)).expect("file")).expect("zstd")
}

#[test]
fn every_line_of_the_recordings_is_read() {
    for (name, lines) in [
        ("rollout", expected(1122, 384, 18)),
        ("broken", expected(457, 259, 19)),
        ("busy", expected(2016, 2671, 66)),
        ("operator", expected(866, 438, 17)),
    ] {
        let (counts, bad) = read_all(&recorded(name));
        assert_eq!(counts, lines, "{name}");
        assert!(bad.is_empty(), "{name}: {bad}");
    }
}

#[test]
fn only_the_chosen_sources_are_read() {
    let options = ReadOptions { sources: "watch".parse().expect("valid"), ..ReadOptions::default() };
    let (counts, _) = counts(&recorded("rollout"), &options);
    assert_eq!(counts, BTreeMap::from([(Source::Watch, 384)]));
}

#[test]
fn any_file_may_be_missing_or_plain() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("audit.log"), unpacked("broken/audit.log.zst")).expect("write");
    let capture = Capture::open(folder.path()).expect("a capture");
    assert_eq!(capture.sources(), Sources::NONE.with(Source::Audit));
    let (counts, bad) = read_all(folder.path());
    assert_eq!(counts, BTreeMap::from([(Source::Audit, 457)]));
    assert!(bad.is_empty());
}

#[test]
fn a_file_alone_is_known_by_its_first_line() {
    let folder = tempfile::tempdir().expect("folder");
    for (file, source) in
        [("audit.log.zst", Source::Audit), ("watch.jsonl.zst", Source::Watch), ("otlp.jsonl.zst", Source::Otlp)]
    {
        let path = folder.path().join("something");
        fs::copy(recorded("broken").join(file), &path).expect("copy");
        let capture = Capture::open(&path).expect("known");
        assert_eq!(capture.sources(), Sources::NONE.with(source));
    }
}

#[test]
fn a_tar_reads_like_its_folder() {
    let folder = tempfile::tempdir().expect("folder");
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("broken", recorded("broken")).expect("append");
    let plain = tar.into_inner().expect("tar");
    fs::write(folder.path().join("c.tar"), &plain).expect("write");
    fs::write(folder.path().join("c.tar.zst"), zstd::encode_all(&plain[..], 1).expect("zstd")).expect("write");
    for name in ["c.tar", "c.tar.zst"] {
        let (counts, bad) = read_all(&folder.path().join(name));
        assert_eq!(counts, expected(457, 259, 19), "{name}");
        assert!(bad.is_empty(), "{name}: {bad}");
    }
}

#[test]
fn a_tar_of_two_captures_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("folder");
    let mut tar = tar::Builder::new(fs::File::create(folder.path().join("two.tar")).expect("file"));
    tar.append_dir_all("a", recorded("broken")).expect("append");
    tar.append_dir_all("b", recorded("broken")).expect("append");
    tar.finish().expect("finish");
    let error = Capture::open(folder.path().join("two.tar")).expect_err("two captures");
    assert!(matches!(error, CollectError::SeveralCaptures { .. }), "{error}");
}

#[test]
fn a_truncated_tar_gives_what_stands_before_the_break() {
    let folder = tempfile::tempdir().expect("folder");
    let mut tar = tar::Builder::new(Vec::new());
    for file in ["audit.log.zst", "watch.jsonl.zst"] {
        tar.append_path_with_name(recorded("broken").join(file), file).expect("append");
    }
    let mut plain = tar.into_inner().expect("tar");
    plain.truncate(40_000);
    let path = folder.path().join("c.tar");
    fs::write(&path, &plain).expect("write");
    let (counts, bad) = read_all(&path);
    assert_eq!(counts.get(&Source::Audit), Some(&457));
    assert!(bad.to_string().contains("watch.jsonl.zst: breaks off after line"), "{bad}");
}

#[test]
fn a_truncated_file_is_told_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("folder");
    for file in ["audit.log.zst", "otlp.jsonl.zst"] {
        fs::copy(recorded("broken").join(file), folder.path().join(file)).expect("copy");
    }
    let audit = folder.path().join("audit.log.zst");
    fs::OpenOptions::new().write(true).open(&audit).expect("open").set_len(20_000).expect("cut");
    let (counts, bad) = read_all(folder.path());
    assert!(counts[&Source::Audit] > 50 && counts[&Source::Audit] < 457, "{counts:?}");
    assert_eq!(counts[&Source::Otlp], 19);
    assert_eq!(bad.count(), 0, "half a line is no bad line: {bad}");
    assert!(bad.to_string().starts_with("audit.log.zst: breaks off after line "), "{bad}");
}

#[test]
fn bad_lines_are_counted_with_their_numbers_and_the_rest_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    let mut file = fs::File::create(folder.path().join("audit.log")).expect("file");
    file.write_all(b"{\"kind\":\"Event\"}\n\xff\xfe\n{\"kind\":\n\n{}\n").expect("write");
    let (counts, bad) = read_all(folder.path());
    assert_eq!(counts, BTreeMap::from([(Source::Audit, 2)]));
    assert_eq!(bad.to_string(), "audit.log:2: no JSON at column 1\naudit.log:3: JSON breaks off at column 8\n");
}

#[test]
fn a_line_over_the_limit_is_bad_and_the_rest_is_read() {
    let options = ReadOptions { max_line: 50_000, ..ReadOptions::default() };
    let (counts, bad) = counts(&recorded("broken"), &options);
    assert_eq!(counts[&Source::Watch], 259);
    assert_eq!(counts[&Source::Audit] + counts[&Source::Otlp] + bad.count(), 457 + 19);
    assert!(bad.to_string().contains("longer than 50000 bytes"), "{bad}");
}

#[test]
fn a_visitor_can_stop() {
    let mut seen = 0;
    let capture = Capture::open(recorded("broken")).expect("a capture");
    capture.read(&ReadOptions::default(), &mut BadLines::default(), &mut |_, _| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(seen, 3);
}

#[test]
fn what_is_no_capture_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("folder");
    let error = Capture::open(folder.path()).expect_err("empty");
    assert!(matches!(error, CollectError::NoCapture { .. }), "{error}");
    let file = folder.path().join("notes.txt");
    fs::write(&file, "hello\n").expect("write");
    let error = Capture::open(&file).expect_err("notes");
    assert!(matches!(error, CollectError::UnknownFile { .. }), "{error}");
    let error = Capture::open(folder.path().join("missing")).expect_err("missing");
    assert!(matches!(error, CollectError::Open { .. }), "{error}");
}
