//! `clew weave` as a user runs it: the table, the lines for jq, the spans for a collector, and what it says when it fails.

mod common;

use std::collections::{HashMap, HashSet};
use std::fs;

use clew_collect::capture::Source;
use clew_collect::decode::otlp;
use clew_model::{Span, SpanId, TraceId};
use common::{clew, raw, write};
use serde_json::Value;

#[test]
fn the_journeys_of_a_recording_are_a_table() {
    insta::assert_snapshot!(clew(&["weave", "captures/broken"]).text());
}

#[test]
fn the_watch_alone_gives_a_table_too() {
    insta::assert_snapshot!(clew(&["weave", "captures/broken", "--sources", "watch"]).text());
}

#[test]
fn no_colour_reaches_a_pipe() {
    for capture in ["captures/broken", "captures/nowhere"] {
        let said = clew(&["weave", capture]);
        assert!(!said.out.contains('\u{1b}') && !said.errors.contains('\u{1b}'), "{}{}", said.out, said.errors);
    }
}

#[test]
fn every_line_has_the_promised_fields() {
    let said = clew(&["weave", "captures/busy", "--output", "jsonl"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    assert!(said.out.lines().count() > 20);
    for line in said.out.lines() {
        let journey: Value = serde_json::from_str(line).expect("JSON");
        assert!(wrong_fields(&journey).is_empty(), "{:?} in {line}", wrong_fields(&journey));
    }
}

/// The fields that are not there, or not of their type.
fn wrong_fields(journey: &Value) -> Vec<&'static str> {
    let is_id = |value: &Value, length: usize| {
        value.as_str().is_some_and(|id| id.len() == length && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let is_time = |value: &Value| value.as_str().is_some_and(|time| time.parse::<clew_model::Time>().is_ok());
    let all =
        |value: &Value, check: &dyn Fn(&Value) -> bool| value.as_array().is_some_and(|items| items.iter().all(check));
    let texts = |value: &Value, names: &[&str]| names.iter().all(|name| value[*name].is_string());
    let root = &journey["root"];
    let root_texts = ["verb", "resource", "subresource", "namespace", "name", "user", "agent"];
    let audit = root.get("auditID").is_some_and(|id| id.is_string() || id.is_null());
    let kind = ["request", "timer", "external"].map(Value::from).contains(&root["kind"]);
    let state = ["open", "converged", "failed", "stuck"].map(Value::from).contains(&journey["state"]);
    let object = |value: &Value| texts(value, &["uid", "kind", "namespace", "name"]);
    let present = |name: &str| journey.get(name).is_some();
    let waiting = &journey["waitingOn"];
    let checks = [
        ("journey", is_id(&journey["journey"], 32)),
        ("root", texts(root, &root_texts) && audit && kind),
        ("command", present("command") && (journey["command"].is_null() || journey["command"].is_string())),
        ("state", state),
        ("waitingOn", present("waitingOn") && (waiting.is_null() || texts(waiting, &["reason", "message"]))),
        ("start", is_time(&journey["start"])),
        ("end", is_time(&journey["end"])),
        ("writes", all(&journey["writes"], &Value::is_string)),
        ("objects", all(&journey["objects"], &object)),
        ("spans", journey["spans"].is_u64()),
        ("segments", all(&journey["segments"], &|id| is_id(id, 32))),
        ("criticalPath", all(&journey["criticalPath"], &|part| part["name"].is_string() && part["ms"].is_number())),
        ("findings", all(&journey["findings"], &|finding| texts(finding, &["kind", "message"]))),
    ];
    checks.into_iter().filter(|(_, right)| !right).map(|(name, _)| name).collect()
}

#[test]
fn json_is_one_list_of_the_same_journeys() {
    let list: Vec<Value> =
        serde_json::from_str(&clew(&["weave", "captures/broken", "--output", "json"]).out).expect("JSON");
    let lines = clew(&["weave", "captures/broken", "--output", "jsonl"]).out;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(list, lines);
}

fn exported(capture: &str) -> Vec<Span> {
    let said = clew(&["weave", capture, "--output", "otlp"]);
    assert_eq!(said.code, 0, "{}", said.errors);
    otlp::spans(said.out.as_bytes()).expect("OTLP")
}

#[test]
fn exported_traces_are_whole() {
    for capture in ["captures/broken", "captures/operator", "captures/jobs"] {
        is_whole(capture);
    }
}

fn is_whole(capture: &str) {
    let journeys = clew(&["weave", capture, "--output", "jsonl"]).out;
    let journeys: Vec<Value> = journeys.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let spans = exported(capture);
    let mut traces: HashMap<TraceId, Vec<&Span>> = HashMap::new();
    for span in &spans {
        traces.entry(span.trace_id).or_default().push(span);
    }
    let ids: HashSet<String> = traces.keys().map(ToString::to_string).collect();
    let expected: HashSet<String> = journeys.iter().map(|j| j["journey"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(ids, expected, "a trace for each journey, and no other");
    for (trace, spans) in traces {
        let own: HashSet<SpanId> = spans.iter().map(|span| span.span_id).collect();
        assert_eq!(own.len(), spans.len(), "{trace} has no span twice");
        let roots: Vec<_> = spans.iter().filter(|span| span.parent.is_none()).map(|span| &span.name).collect();
        assert_eq!(roots.len(), 1, "{trace} has one root: {roots:?}");
        let lost = spans.iter().filter(|span| span.parent.is_some_and(|parent| !own.contains(&parent)));
        let lost: Vec<_> = lost.map(|span| (&span.name, span.attributes.get_str("clew.original_trace_id"))).collect();
        assert!(lost.is_empty(), "parents of {trace} that are not there: {lost:?}");
        assert!(spans.iter().all(|span| span.end.is_none_or(|end| end >= span.start)), "{trace} runs forwards");
    }
}

#[test]
fn exported_native_spans_keep_their_trace_as_an_attribute() {
    let received: HashSet<String> = raw("captures/broken")
        .iter()
        .filter(|(source, _)| *source == Source::Otlp)
        .flat_map(|(_, line)| otlp::spans(line.as_bytes()).expect("OTLP"))
        .map(|span| span.trace_id.to_string())
        .collect();
    let spans = exported("captures/broken");
    let service = |span: &Span| span.resource.get_str("service.name").unwrap_or_default().to_owned();
    let native: Vec<&Span> = spans.iter().filter(|span| ["apiserver", "kubelet"].contains(&&*service(span))).collect();
    assert!(native.len() > 100, "{} native spans", native.len());
    for span in native {
        let original = span.attributes.get_str("clew.original_trace_id").unwrap_or_default();
        assert!(received.contains(original), "{} {} has {original:?}", service(span), span.name);
        assert!(!received.contains(&span.trace_id.to_string()), "{} is in its journey's trace", span.name);
    }
}

#[test]
fn bad_lines_are_counted_and_the_rest_is_woven() {
    let mut lines = raw("captures/broken");
    let half = lines[3].1.len() / 2;
    // A character is never cut: the lines of this recording are ASCII here.
    lines.insert(4, (Source::Audit, lines[3].1[..half].to_owned()));
    lines.push((Source::Watch, "not JSON at all".to_owned()));
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), &lines);
    let said = clew(&["weave", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(said.code, 0, "{}", said.errors);
    assert_eq!(said.out, clew(&["weave", "captures/broken"]).out, "what is good is woven all the same");
    assert!(said.errors.contains("audit.log:5: JSON breaks off at column "), "{}", said.errors);
    let last = lines.iter().filter(|(source, _)| *source == Source::Watch).count();
    assert!(said.errors.contains(&format!("watch.jsonl:{last}: no JSON at column ")), "{}", said.errors);
    assert!(said.errors.contains(", 2 bad lines, "), "{}", said.errors);
}

#[test]
fn a_single_audit_log_is_enough() {
    let folder = tempfile::tempdir().expect("folder");
    write(folder.path(), &raw("captures/broken"));
    let log = folder.path().join("audit.log");
    let said = clew(&["weave", log.to_str().expect("UTF-8")]);
    assert_eq!(said.out, clew(&["weave", "captures/broken", "--sources", "audit"]).out);
}

#[test]
fn a_missing_path_is_named() {
    insta::assert_snapshot!(clew(&["weave", "captures/nowhere"]).text());
}

#[test]
fn an_empty_folder_is_no_capture() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().to_str().expect("UTF-8").to_owned();
    insta::assert_snapshot!(clew(&["weave", &path]).text().replace(&path, "[folder]"));
}

#[test]
fn an_unknown_source_is_a_usage_error() {
    insta::assert_snapshot!(clew(&["weave", "captures/broken", "--sources", "logs"]).text());
}

#[test]
fn an_empty_audit_log_has_no_journeys() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("audit.log"), "").expect("written");
    insta::assert_snapshot!(clew(&["weave", folder.path().to_str().expect("UTF-8")]).text());
}

#[test]
fn a_rollout_took_as_long_as_its_pods_and_not_as_what_followed_them() {
    let said = clew(&["weave", "captures/rollout", "--output", "jsonl"]);
    let journeys = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let is_rollout = |journey: &Value| journey["root"]["verb"] == "patch" && journey["root"]["subresource"] == "";
    let rollout = journeys.rev().find(is_rollout).expect("the rollout");
    let path = rollout["criticalPath"].as_array().expect("a path");
    let share = |words: &str| -> f64 {
        let parts = path.iter().filter(|part| part["name"].as_str().is_some_and(|name| name.contains(words)));
        parts.filter_map(|part| part["ms"].as_f64()).sum()
    };
    assert!(share("Pod shop/web") > 0.9 * share(""), "{path:?}");
    assert!(share("endpointslice") < 0.05 * share(""), "{path:?}");
}

#[test]
fn a_commit_is_shown_as_one() {
    let text = clew(&["weave", "captures/flux"]).text();
    assert!(text.contains(" on main, fetched as flux-system/pair "), "{text}");
}
