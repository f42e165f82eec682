//! Histogram, heatmap, statistics and values.

use clew_server::{App, router};
use serde_json::Value;

use crate::support::{Memory, ask, get, rollout};

fn sum(values: &[Value], pick: impl Fn(&Value) -> u64) -> u64 {
    values.iter().map(pick).sum()
}

#[tokio::test]
async fn the_histogram_counts_every_journey_once() {
    let histogram = get("/api/v1/histogram?buckets=10").await.good();
    let buckets = histogram["buckets"].as_array().unwrap();
    let of = |state: &str| sum(buckets, |bucket| bucket[state].as_u64().unwrap());
    assert_eq!(of("open") + of("converged") + of("failed") + of("stuck"), 6);
    assert!(buckets.len() <= 12, "{}", buckets.len());
    assert_eq!(buckets[0]["start"], histogram["from"]);
    let shop = get("/api/v1/histogram?kind=Service").await.good();
    assert_eq!(sum(shop["buckets"].as_array().unwrap(), |bucket| bucket["converged"].as_u64().unwrap()), 1);
}

#[tokio::test]
async fn a_histogram_of_nothing_is_empty_buckets() {
    let app = App::new(std::sync::Arc::new(Memory::default()));
    let histogram = ask(router(app), "/api/v1/histogram").await.good();
    assert!(histogram["buckets"].as_array().unwrap().len() >= 60);
}

#[tokio::test]
async fn the_heatmap_counts_every_journey_that_ended() {
    let heatmap = get("/api/v1/heatmap").await.good();
    let bounds = heatmap["bounds"].as_array().unwrap().len();
    let columns = heatmap["columns"].as_array().unwrap();
    let counts = |column: &Value| column["counts"].as_array().unwrap().clone();
    assert!(columns.iter().all(|column| counts(column).len() == bounds + 1));
    let total = sum(columns, |column| sum(&counts(column), |count| count.as_u64().unwrap()));
    assert_eq!(total, 6);
    let error = get("/api/v1/heatmap?bucket=1ms").await.error(400);
    assert!(error.starts_with("parameter bucket: cuts the time into more than"), "{error}");
}

#[tokio::test]
async fn statistics_are_grouped_by_any_field() {
    let stats = get("/api/v1/stats?by=kind,verb").await.good();
    let series = stats["series"].as_array().unwrap();
    let deployments = series.iter().find(|series| series["key"]["verb"] == "patch").unwrap();
    assert_eq!(deployments["key"]["kind"], "Deployment");
    assert!(deployments["points"][0]["p50Ms"].as_f64().unwrap() > 0.0);
    let spans = get("/api/v1/stats?of=spans&by=attr:clew.kind&limit=2").await.good();
    assert_eq!(spans["series"].as_array().unwrap().len(), 2);
    let buckets = get("/api/v1/stats?bucket=1s").await.good();
    assert!(buckets["series"][0]["points"].as_array().unwrap().len() > 1);
}

#[tokio::test]
async fn wrong_statistics_are_told() {
    let error = async |query: &str| get(&format!("/api/v1/stats?{query}")).await.error(400);
    assert!(error("of=pods").await.contains("none of journeys, spans, runs"));
    assert!(error("by=colour").await.starts_with("parameter by: \"colour\" is no field"));
    assert!(error("by=name,kind,verb,user,agent").await.contains("more than 4"));
    assert!(error("bucket=1ms").await.contains("narrower"));
}

#[tokio::test]
async fn values_are_those_of_the_journeys_that_are_meant() {
    let values = async |path: &str| get(&format!("/api/v1/values/{path}")).await.good()["values"].clone();
    assert_eq!(values("namespace").await, serde_json::json!(["shop"]));
    assert_eq!(values("kind?prefix=dep").await, serde_json::json!(["Deployment"]));
    assert_eq!(values("kind?verb=patch").await, serde_json::json!(["Deployment"]));
    assert_eq!(values("attr:clew.state?limit=1").await, serde_json::json!(["converged"]));
    assert!(get("/api/v1/values/colour").await.error(400).starts_with("parameter field"));
}

#[tokio::test]
async fn the_heatmap_of_many_journeys_is_that_of_few() {
    let heatmap = async |copies: usize| {
        let details = rollout().details.iter().cycle().take(copies * 6).cloned().collect();
        let store = Memory { details, ..Memory::default() };
        ask(router(App::new(std::sync::Arc::new(store))), "/api/v1/heatmap").await.good()
    };
    let (few, many) = (heatmap(1).await, heatmap(200).await);
    let counts = |heatmap: &Value, factor: u64| -> Vec<u64> {
        let columns = heatmap["columns"].as_array().unwrap().iter();
        let counts = columns.flat_map(|column| column["counts"].as_array().unwrap());
        counts.map(|count| count.as_u64().unwrap() * factor).collect()
    };
    assert_eq!(counts(&few, 200), counts(&many, 1));
}
