//! `clew import` as a user runs it: what is in the store is what `clew weave` tells.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use clew_collect::capture::Source;
use common::{clew, raw, write};
use serde_json::Value;

/// The spans and the state of each journey.
fn woven(capture: &str) -> BTreeMap<String, (u64, String)> {
    let said = clew(&["weave", capture, "--output", "jsonl"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    let journeys = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let journeys = journeys.map(|journey| {
        let id = journey["journey"].as_str().expect("an id").to_owned();
        let state = journey["state"].as_str().expect("a state").to_owned();
        (id, (journey["spans"].as_u64().expect("a number"), state))
    });
    journeys.collect()
}

fn kept(data: &Path) -> BTreeMap<String, (u64, String)> {
    let data = data.to_str().expect("a path");
    let query = "select journey_id, spans, state from journeys";
    let said = clew(&["sql", query, "--data", data, "--output", "jsonl"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    let rows = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows = rows.map(|row| {
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        (text("journey_id"), (row["spans"].as_u64().expect("a number"), text("state")))
    });
    rows.collect()
}

#[test]
fn who_only_looks_at_a_store_makes_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("nothing");
    let place = data.to_str().expect("a path");
    let looks: [&[&str]; 5] =
        [&["store", "status"], &["store", "verify"], &["store", "export"], &["store", "compact"], &["sql", "select 1"]];
    for look in looks {
        let said = clew(&[look, &["--data", place]].concat());
        assert_eq!(said.code, 1, "{look:?}");
        assert_eq!(
            said.errors,
            format!(
                "error: there is no store in {place}: name its folder with --data, or let `clew up` or `clew import` make one\n"
            )
        );
        assert!(!data.exists(), "{look:?}");
    }
}

#[test]
fn what_is_in_the_store_is_what_weave_tells() {
    let folder = tempfile::tempdir().expect("a folder");
    for capture in ["captures/busy", "captures/operator", "captures/broken", "captures/helm"] {
        let data = folder.path().join(capture);
        let said = clew(&["import", capture, "--data", data.to_str().expect("a path")]);
        assert_eq!(said.code, 0, "{}", said.errors);
        assert_eq!(kept(&data), woven(capture), "{capture}");
    }
}

#[test]
fn bad_lines_of_every_file_are_told_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = raw("captures/broken");
    lines.push((Source::Audit, "{\"kind\":".to_owned()));
    lines.push((Source::Watch, "nothing".to_owned()));
    write(folder.path(), &lines);
    let (capture, data) = (folder.path().to_str().expect("a path"), folder.path().join("data"));
    let said = clew(&["import", capture, "--data", data.to_str().expect("a path")]);
    assert_eq!(said.code, 0, "{}", said.errors);
    assert!(said.errors.contains("audit.log:") && said.errors.contains("watch.jsonl:"), "{}", said.errors);
    assert!(said.errors.contains("2 bad lines"), "{}", said.errors);
    assert_eq!(kept(&data).len(), woven("captures/broken").len());
}

/// One number that a store without a clew answers with.
fn number(sql: &str, place: &[&str]) -> u64 {
    let said = clew(&[&["sql", sql, "--output", "jsonl"], place].concat());
    assert_eq!(said.code, 0, "{}", said.errors);
    let row: Value = serde_json::from_str(&said.out).expect("JSON");
    row["n"].as_u64().expect("a number")
}

#[test]
fn only_what_is_told_to_go_goes_and_the_tables_are_where_they_are_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (data, tables) = (path("data"), path("elsewhere"));
    let place = ["--data", data.as_str(), "--tables", tables.as_str()];
    let background = || number("select count(*) as n from spans where class = 'background'", &place);
    let journeys = || number("select count(*) as n from journeys", &place);
    let said = clew(&[&["import", "captures/broken"][..], &place].concat());
    assert_eq!(said.code, 0, "{}", said.errors);
    let before = (background(), journeys());
    assert!(before.0 > 0 && before.1 > 0, "{before:?}");
    let compact = |keep: &[&str]| {
        let said = clew(&[&["store", "compact", "--keep-journeys", "forever"], keep, &place].concat());
        assert_eq!(said.code, 0, "{}", said.errors);
    };
    compact(&["--keep-background", "forever"]);
    assert_eq!((background(), journeys()), before);
    compact(&["--keep-background", "0d"]);
    assert_eq!((background(), journeys()), (0, before.1));
    assert!(folder.path().join("elsewhere/spans").is_dir() && !folder.path().join("data/tables").exists());
}
