//! `clew trace` as a user runs it: the waterfall, the critical path, the evidence, and how a journey is found.

mod common;

use clew_collect::decode::otlp;
use common::clew;
use serde_json::Value;

fn trace(arguments: &[&str]) -> String {
    clew(&[&["trace", "captures/broken"], arguments].concat()).text()
}

fn journeys() -> Vec<Value> {
    let lines = clew(&["weave", "captures/broken", "--output", "jsonl"]).out;
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_journey_is_a_waterfall() {
    insta::assert_snapshot!(trace(&["deploy/good", "-n", "lab"]));
}

#[test]
fn a_journey_that_waits_says_on_what() {
    insta::assert_snapshot!(trace(&["deployment/badimage", "--depth", "3"]));
}

#[test]
fn the_critical_path_has_shares() {
    insta::assert_snapshot!(trace(&["deploy/badimage", "-n", "lab", "--critical"]));
}

#[test]
fn evidence_is_shown_when_asked_for() {
    insta::assert_snapshot!(trace(&["deploy/badimage", "-n", "lab", "--evidence"]));
}

#[test]
fn evidence_is_never_cut() {
    let said = clew(&["trace", "captures/broken", "deploy/badimage", "--evidence", "--depth", "20"]);
    let words = ["context", "identity", "ownership", "reference", "timing"].map(|word| format!(" [{word}] "));
    let shown = said.out.lines().filter(|line| words.iter().any(|word| line.contains(word))).count();
    assert!(shown > 10, "{}", said.out);
    assert_eq!(said.out.matches('[').count(), shown, "each opening bracket is of a whole word: {}", said.out);
}

#[test]
fn no_colour_and_no_long_line_reach_a_pipe() {
    let said = clew(&["trace", "captures/broken", "deploy/badimage", "--depth", "20", "--native"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    assert!(!said.out.contains('\u{1b}') && !said.errors.contains('\u{1b}'));
    let bars = said.out.lines().filter(|line| line.contains(['█', '▏', '▒', '░']));
    let too_long: Vec<_> = bars.filter(|line| line.chars().count() > 100).collect();
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn depth_ends_the_drawing() {
    let lines = |depth: &str| {
        let said = clew(&["trace", "captures/broken", "deploy/badimage", "--depth", depth]);
        said.out.lines().filter(|line| line.contains(['█', '▏', '▒', '░'])).count()
    };
    assert_eq!(lines("0"), 1);
    assert!(lines("1") < lines("3"));
}

#[test]
fn a_journey_is_found_by_the_beginning_of_its_id() {
    let journeys = journeys();
    let wanted = journeys.last().expect("a journey");
    let id = wanted["journey"].as_str().expect("an id");
    for what in [&id[..12], id, &id.to_ascii_uppercase()] {
        let said = clew(&["trace", "captures/broken", what, "--output", "json"]);
        assert_eq!(&serde_json::from_str::<Value>(&said.out).expect("JSON"), wanted, "{}", said.errors);
    }
}

#[test]
fn a_native_trace_finds_its_journey() {
    let journeys = journeys();
    let wanted = journeys.iter().find(|journey| journey["segments"][0].is_string()).expect("a segment");
    let segment = wanted["segments"][0].as_str().expect("an id");
    let said = clew(&["trace", "captures/broken", segment, "--output", "jsonl"]);
    assert_eq!(&serde_json::from_str::<Value>(&said.out).expect("JSON"), wanted, "{}", said.errors);
}

#[test]
fn the_export_of_a_journey_is_its_trace_alone() {
    let said = clew(&["trace", "captures/broken", "deploy/badimage", "--output", "otlp"]);
    let spans = otlp::spans(said.out.as_bytes()).expect("OTLP");
    assert!(spans.len() > 10, "{} spans", spans.len());
    assert!(spans.iter().all(|span| span.trace_id == spans[0].trace_id));
}

#[test]
fn an_unknown_object_is_a_failure_that_helps() {
    insta::assert_snapshot!(trace(&["deploy/nobody"]));
}

#[test]
fn an_unknown_kind_is_a_failure_that_helps() {
    insta::assert_snapshot!(trace(&["gizmo/good"]));
}

#[test]
fn another_namespace_has_no_such_object() {
    insta::assert_snapshot!(trace(&["deploy/good", "-n", "elsewhere"]));
}

#[test]
fn an_unknown_id_is_a_failure_that_helps() {
    insta::assert_snapshot!(trace(&["zzz"]));
}

#[test]
fn an_id_that_several_journeys_share_is_refused() {
    let capture = ["captures/busy", "--sources", "audit"];
    let lines = clew(&[&["weave", "--output", "jsonl"], &capture[..]].concat()).out;
    let journeys = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let first = journeys.map(|journey| journey["journey"].as_str().expect("an id")[..1].to_owned());
    let first: Vec<String> = first.collect();
    assert!(first.len() > 16, "more journeys than hexadecimal digits, so that two begin alike");
    let shared = first.iter().find(|one| first.iter().filter(|other| other == one).count() > 1).expect("two alike");
    let said = clew(&["trace", "captures/busy", shared, "--sources", "audit"]);
    assert_eq!(said.code, 1);
    let expected = format!("error: several journeys' ids begin with {shared}: write more of it\n");
    assert!(said.errors.ends_with(&expected), "{}", said.errors);
    assert_eq!(said.out, "");
}

#[test]
fn a_missing_capture_is_named() {
    insta::assert_snapshot!(clew(&["trace", "captures/nowhere", "deploy/good"]).text());
}
