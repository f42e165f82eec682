//! The watch over a scripted API server: pages, resumption, versions that are gone, resources that come and go.
//!
//! The real API server is met in `e2e/`; it cannot be made to say 410 at a given moment.

mod common;

use clew_collect::capture::Source;
use clew_collect::record::{Plan, WatchFrom};
use clew_collect::watch::Selection;
use common::api_server::{ApiServer, free_port};
use common::{Recording, plan};
use serde_json::Value;

fn record(server: &ApiServer) -> Recording {
    let kubeconfig = Some(server.kubeconfig());
    let watch = WatchFrom { kubeconfig, context: None, selection: Selection::default() };
    Recording::start(|out| Plan { watch: Some(watch), ..plan(out) })
}

fn seen(lines: &[String]) -> Vec<(String, String)> {
    let field = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let parse = |line: &String| -> Value { serde_json::from_str(line).expect("JSON") };
    let lines = lines.iter().map(parse);
    lines.map(|line| (field(&line, "type"), field(&line["object"]["metadata"], "name"))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(kind, name)| ((*kind).to_owned(), (*name).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_listed_then_watched_and_resumed_and_listed_anew_when_gone() {
    let server = ApiServer::start(&[
        (200, r#"{"metadata":{"resourceVersion":"5","continue":"next"},"items":[{"metadata":{"name":"a"},"data":{"p":"aHVudGVyMi1kby1ub3Qtc3RvcmU="}}]}"#),
        (200, r#"{"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"b"}}]}"#),
        (200, "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"6\"}}}\n{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n"),
        (200, "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"10\"}}}\n{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n"),
        (200, r#"{"metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"d"}}]}"#),
        (410, ""),
        (200, r#"{"metadata":{"resourceVersion":"30"},"items":null}"#),
        (404, ""),
    ])
    .await;
    let recording = record(&server);
    recording.wait_until(|_| server.asked().len() >= 8).await;
    let (_, lines) = recording.end().await;
    let watch = &lines[&Source::Watch];
    let expected =
        [("LISTED", "a"), ("LISTED", "b"), ("ADDED", "c"), ("BOOKMARK", ""), ("DELETED", "c"), ("LISTED", "d")];
    assert_eq!(seen(watch), pairs(&expected));
    assert!(watch[0].contains(
        r#""path":"/api/v1/secrets","type":"LISTED","object":{"metadata":{"name":"a"},"data":{"p":"redacted:"#
    ));
    let asked = server.asked();
    assert_eq!(asked[1], "/api/v1/secrets?limit=250&continue=next");
    assert!(asked[2].contains("resourceVersion=5&") && asked[3].contains("resourceVersion=9&"), "{asked:?}");
    assert_eq!(asked[4], "/api/v1/secrets?limit=250", "gone: listed anew");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_resource_is_told_once_and_left_out() {
    let server = ApiServer::start(&[(403, "{}")]).await;
    let recording = record(&server);
    recording.told("/api/v1/secrets is forbidden", "").await;
    let (summary, lines) = recording.end().await;
    assert!(lines[&Source::Watch].is_empty());
    assert_eq!(summary.watched, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_that_is_missing_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let kubeconfig = Some(folder.path().join("missing"));
    let watch = WatchFrom { kubeconfig, context: None, selection: Selection::default() };
    let plan = Plan { watch: Some(watch), ..plan(folder.path()) };
    let error = common::try_record(plan).await.expect_err("nothing to record");
    assert!(error.to_string().starts_with("nothing to record"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_comes_later_is_recorded() {
    let server = ApiServer::at(free_port());
    let recording = record(&server);
    recording.told("the cluster does not answer, trying on: discovery failed: ", "").await;
    let list = r#"{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}}]}"#;
    server.serve(&[(200, list), (200, "")]).await;
    recording.told("has listed all 1 resources", "").await;
    let (_, lines) = recording.end().await;
    assert_eq!(seen(&lines[&Source::Watch]), pairs(&[("LISTED", "a")]));
}
