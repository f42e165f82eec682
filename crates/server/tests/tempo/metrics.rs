//! Numbers over time, against a count of the spans themselves.

use serde_json::Value;

use crate::{found, grafana, refused};

/// When the capture was recorded, in seconds: a minute before its first trace to an hour after.
async fn hour() -> (u64, u64) {
    let traces = found("{nestedSetParent<0}").await;
    let starts = traces.iter().map(|trace| trace["startTimeUnixNano"].as_str().unwrap().parse::<u64>().unwrap());
    let first = starts.min().unwrap() / 1_000_000_000 - 60;
    (first, first + 3600)
}

async fn series(path: &str, query: &str, step: &str) -> Vec<Value> {
    let (start, end) = hour().await;
    let (start, end) = (start.to_string(), end.to_string());
    let answer = grafana(path, &[("q", query), ("start", &start), ("end", &end), ("step", step)]).await.good();
    answer["series"].as_array().unwrap().clone()
}

fn sum(line: &Value) -> f64 {
    line["samples"].as_array().unwrap().iter().map(|sample| sample["value"].as_f64().unwrap()).sum()
}

#[tokio::test]
async fn counts_and_rates_agree() {
    let query = r#"{ name = "syncPod" }"#;
    let counts = series("/api/metrics/query_range", &format!("{query} | count_over_time()"), "60s").await;
    assert_eq!(counts.len(), 1);
    assert_eq!(counts[0]["labels"][0]["key"], "__name__");
    assert_eq!(counts[0]["promLabels"], "{__name__=\"count_over_time\"}");
    let rates = series("/api/metrics/query_range", &format!("{query} | rate()"), "60s").await;
    assert!(sum(&counts[0]) > 0.0);
    assert!((sum(&rates[0]) * 60.0 - sum(&counts[0])).abs() < 1e-6);
    let samples = counts[0]["samples"].as_array().unwrap();
    let times: Vec<u64> =
        samples.iter().map(|sample| sample["timestampMs"].as_str().unwrap().parse().unwrap()).collect();
    assert!(times.iter().all(|time| time % 60_000 == 0) && times.is_sorted());
    assert!((60..=61).contains(&times.len()), "steps without spans are told as zero");
    let at_once = series("/api/metrics/query", &format!("{query} | count_over_time()"), "60s").await;
    assert!((at_once[0]["value"].as_f64().unwrap() - sum(&counts[0])).abs() < 1e-6);
}

#[tokio::test]
async fn groups_are_told_apart_by_their_labels() {
    let lines = series("/api/metrics/query_range", "{ } | rate() by(resource.service.name)", "5m").await;
    let names: Vec<&str> =
        lines.iter().map(|line| line["labels"][0]["value"]["stringValue"].as_str().unwrap()).collect();
    assert!(names.contains(&"kubernetes") && names.contains(&"kubelet"), "{names:?}");
    assert!(lines.iter().all(|line| line["labels"][0]["key"] == "resource.service.name"));
}

#[tokio::test]
async fn quantiles_are_in_seconds_and_in_order() {
    let query = r#"{ name = "syncPod" } | quantile_over_time(duration, .5, .9, .99)"#;
    let lines = series("/api/metrics/query_range", query, "1h").await;
    let labels: Vec<f64> =
        lines.iter().map(|line| line["labels"][0]["value"]["doubleValue"].as_f64().unwrap()).collect();
    assert_eq!(labels, [0.5, 0.9, 0.99]);
    let values: Vec<f64> = lines.iter().map(|line| line["samples"][0]["value"].as_f64().unwrap()).collect();
    assert!(values.is_sorted() && values[0] > 0.0 && values[2] < 600.0, "{values:?}");
    let other = series("/api/metrics/query", r#"{ name = "syncPod" } | quantile_over_time(duration, .75)"#, "").await;
    let middle =
        series("/api/metrics/query", r#"{ name = "syncPod" } | quantile_over_time(duration, .5, 1)"#, "").await;
    let value = |line: &Value| line["value"].as_f64().unwrap();
    assert!(value(&middle[0]) <= value(&other[0]) && value(&other[0]) <= value(&middle[1]));
}

#[tokio::test]
async fn a_histogram_counts_every_span() {
    let counts = series("/api/metrics/query", r#"{ name = "syncPod" } | count_over_time()"#, "").await;
    let lines =
        series("/api/metrics/query_range", r#"{ name = "syncPod" } | histogram_over_time(duration)"#, "1m").await;
    assert!(lines.iter().all(|line| line["labels"][0]["key"] == "__bucket"));
    let all: f64 = lines.iter().map(sum).sum();
    assert!((all - counts[0]["value"].as_f64().unwrap()).abs() < 1e-6);
}

#[tokio::test]
async fn what_needs_whole_traces_is_refused_by_name() {
    let path = "/api/metrics/query_range";
    assert!(refused(path, "{ } >> { } | rate()").await.contains("`{ } >> { }` needs whole traces"));
    assert!(refused(path, "{ } | rate() by(rootName)").await.contains("`rootName`"));
    assert!(refused(path, "{ }").await.contains("`{ … } | rate()`"));
    assert!(refused(path, "").await.contains("parameter q"));
    let far = grafana(path, &[("q", "{ } | rate()"), ("start", "1"), ("end", "9000000"), ("step", "1s")]).await;
    assert!(far.text.contains("more than 11000"), "{}", far.text);
}
