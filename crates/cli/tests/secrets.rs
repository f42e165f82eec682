//! Nothing secret comes out: every output of every command that reads captures, searched for a password.

mod common;

use clew_collect::capture::Source;
use common::{clew, raw, write};
use serde_json::{Value, json};

/// The password in `captures/broken`, and its Base64 at each of the three offsets, without the ends that depend on
/// what stands around it.
const PASSWORD: [&str; 4] =
    ["hunter2-do-not-store", "aHVudGVyMi1kby1ub3Qtc3Rv", "h1bnRlcjItZG8tbm90LXN0b3Jl", "odW50ZXIyLWRvLW5vdC1zdG9y"];
const OUTPUTS: [&str; 4] = ["text", "json", "jsonl", "otlp"];
const SOURCES: [&str; 7] = ["audit", "watch", "otlp", "audit,watch", "audit,otlp", "watch,otlp", "audit,watch,otlp"];

fn holds_password(text: &str) -> bool {
    PASSWORD.iter().any(|form| text.contains(form))
}

/// Runs the command in every output with every choice of sources; all that it prints must be clean.
fn must_be_clean(arguments: &[&str]) {
    for sources in SOURCES {
        for output in OUTPUTS {
            let all = [arguments, &["--sources", sources, "--output", output]].concat();
            let said = clew(&all);
            assert!(!holds_password(&said.out), "clew {} prints the password", all.join(" "));
            assert!(!holds_password(&said.errors), "clew {} tells the password", all.join(" "));
        }
    }
}

/// `broken` with the password in all the places where people leave it, plain and encoded.
fn careless() -> tempfile::TempDir {
    let mut lines = raw("captures/broken");
    let made = lines.iter().find(|(_, line)| holds_password(line)).expect("the Secret's create").1.clone();
    let mut event: Value = serde_json::from_str(&made).expect("JSON");
    let applied = json!({"kind": "Secret", "stringData": {"password": PASSWORD[0]}}).to_string();
    event["auditID"] = json!("00000000-0000-4000-8000-000000000001");
    event["verb"] = json!("patch");
    event["requestObject"] = json!({"stringData": {"password": PASSWORD[0]}});
    event["responseObject"]["metadata"]["resourceVersion"] = json!("99999");
    event["responseObject"]["metadata"]["annotations"] =
        json!({"kubectl.kubernetes.io/last-applied-configuration": applied});
    event["responseObject"]["data"]["note"] = json!("c2VlIGh1bnRlcjItZG8tbm90LXN0b3Jl");
    let watched = json!({
        "observedUnixNano": 1_794_732_700_000_000_000_u64,
        "path": "/api/v1/secrets", "type": "MODIFIED", "object": event["responseObject"],
    });
    lines.push((Source::Audit, event.to_string()));
    lines.push((Source::Watch, watched.to_string()));
    // A line that breaks off inside the password must not be quoted when it is reported.
    let cut = made.find(PASSWORD[1]).expect("encoded") + PASSWORD[1].len() + 2;
    lines.push((Source::Audit, made[..cut].to_owned()));
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), &lines);
    folder
}

#[test]
fn the_capture_does_hold_the_password() {
    assert!(raw("captures/broken").iter().any(|(_, line)| holds_password(line)));
    let folder = careless();
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("readable");
    assert!(file("audit.log").contains(PASSWORD[0]), "plain in the audit log");
    assert!(file("watch.jsonl").contains(PASSWORD[0]), "plain in the watch");
    assert!(file("watch.jsonl").contains(PASSWORD[2]), "encoded after other text in the watch");
}

#[test]
fn weave_never_prints_a_password() {
    must_be_clean(&["weave", "captures/broken"]);
}

#[test]
fn weave_never_prints_a_password_that_was_left_about() {
    let folder = careless();
    must_be_clean(&["weave", folder.path().to_str().expect("UTF-8")]);
}

#[test]
fn trace_never_prints_a_password() {
    assert_eq!(clew(&["trace", "captures/broken", "secret/api"]).code, 0, "the Secret's journey is there to be drawn");
    must_be_clean(&["trace", "captures/broken", "secret/api", "--evidence", "--native", "--depth", "20"]);
    let folder = careless();
    let path = folder.path().to_str().expect("UTF-8");
    must_be_clean(&["trace", path, "secret/api", "--evidence", "--native", "--depth", "20"]);
    must_be_clean(&["trace", path, "secret/api", "--critical"]);
}

#[test]
fn no_journey_of_the_capture_shows_a_password() {
    let journeys = clew(&["weave", "captures/broken", "--output", "jsonl"]).out;
    let ids: Vec<Value> = journeys.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(ids.len() > 5, "{journeys}");
    for id in ids.iter().map(|journey| journey["journey"].as_str().expect("an id")) {
        for output in OUTPUTS {
            let said = clew(&["trace", "captures/broken", id, "--native", "--evidence", "--output", output]);
            assert_eq!(said.code, 0, "{}", said.errors);
            assert!(!holds_password(&said.out) && !holds_password(&said.errors), "{id} as {output}");
        }
    }
}
