//! Searches, and what they find in journeys.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{found, grafana, refused, support};

async fn journeys() -> BTreeSet<String> {
    let list = support::get("/api/v1/journeys").await.good();
    list["journeys"].as_array().unwrap().iter().map(|row| row["journey"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn without_conditions_the_journeys_come_first() {
    let journeys = journeys().await;
    let answer = grafana("/api/search", &[("q", "{}"), ("limit", &journeys.len().to_string())]).await.good();
    let traces = answer["traces"].as_array().unwrap();
    let ids: BTreeSet<String> = traces.iter().map(|trace| trace["traceID"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, journeys);
    assert_eq!(answer["metrics"]["completedJobs"], answer["metrics"]["totalJobs"]);
}

#[tokio::test]
async fn a_search_goes_on_when_the_newest_traces_are_not_meant() {
    // Of six journeys with such spans, four are newer than the one that has so many.
    let query = r#"{ resource.service.name = "kubernetes" } | count() = 76"#;
    let all = found(query).await;
    let answer = grafana("/api/search", &[("q", query), ("limit", "1")]).await.good();
    assert_eq!((all.len(), answer["traces"].as_array().unwrap().len()), (1, 1));
    assert_eq!(answer["traces"][0]["traceID"], all[0]["traceID"]);
    assert_eq!(answer["traces"][0]["rootTraceName"], "create Deployment shop/web");
}

#[tokio::test]
async fn a_found_trace_has_the_shape_that_grafana_reads() {
    let traces = found(r#"{ name = "syncPod" && status != error } | select(span.k8s.pod.uid, nestedSetParent)"#).await;
    let trace = &traces[0];
    assert!(trace["startTimeUnixNano"].as_str().unwrap().parse::<u64>().unwrap() > 0);
    assert!(trace["durationMs"].is_u64());
    assert_eq!(trace["rootServiceName"], "kubernetes");
    assert!(!trace["rootTraceName"].as_str().unwrap().is_empty());
    assert!(trace["serviceStats"]["kubelet"]["spanCount"].as_u64().unwrap() > 0);
    let set = &trace["spanSets"][0];
    assert_eq!(set, &trace["spanSet"]);
    assert!(set["matched"].as_u64().unwrap() > 0);
    let span = &set["spans"][0];
    assert_eq!(span["name"], "syncPod");
    assert_eq!(span["spanID"].as_str().unwrap().len(), 16);
    for number in ["startTimeUnixNano", "durationNanos"] {
        assert!(span[number].as_str().unwrap().parse::<u64>().is_ok(), "{span}");
    }
    let keys: Vec<&str> =
        span["attributes"].as_array().unwrap().iter().map(|pair| pair["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["k8s.pod.uid", "nestedSetParent", "status"]);
    assert!(span["attributes"][0]["value"]["stringValue"].is_string());
    assert!(span["attributes"][1]["value"]["intValue"].is_string());
}

#[tokio::test]
async fn structure_reaches_from_the_change_into_the_kubelet() {
    let below =
        r#"{ resource.service.name = "kubernetes" } >> { resource.service.name = "kubelet" && name = "syncPod" }"#;
    let traces = found(below).await;
    let journeys = journeys().await;
    assert!(!traces.is_empty());
    assert!(traces.iter().all(|trace| journeys.contains(trace["traceID"].as_str().unwrap())));
    assert!(found(r#"{ name = "syncPod" } >> { resource.service.name = "kubernetes" }"#).await.is_empty());
    let none = found(r#"{ name = "nothing" } || { name = "nothing else" }"#).await;
    assert!(none.is_empty());
}

#[tokio::test]
async fn aggregates_and_groups_narrow_what_is_found() {
    let matched = |trace: &Value| trace["spanSets"][0]["matched"].as_u64().unwrap();
    let any = found(r#"{ name = "syncPod" }"#).await;
    let most = any.iter().map(matched).max().unwrap();
    let many = found(&format!(r#"{{ name = "syncPod" }} | count() >= {most}"#)).await;
    assert!(!many.is_empty() && many.iter().all(|trace| matched(trace) == most));
    assert!(found(&format!(r#"{{ name = "syncPod" }} | count() > {most}"#)).await.is_empty());
    let grouped = found(r#"{ name = "syncPod" } >> { } | by(resource.service.name)"#).await;
    let by = &grouped[0]["spanSets"][0]["attributes"][0];
    assert_eq!(by["key"], "by(resource.service.name)");
}

#[tokio::test]
async fn roots_and_whole_traces_can_be_asked_for() {
    let roots = found("{nestedSetParent<0 && true}").await;
    assert!(roots.iter().all(|trace| trace["spanSets"][0]["matched"] == 1));
    let name = roots[0]["rootTraceName"].as_str().unwrap();
    let same = found(&format!("{{ rootName = {name:?} && traceDuration >= 0s }}")).await;
    assert!(same.iter().any(|trace| trace["traceID"] == roots[0]["traceID"]));
    assert!(same.iter().all(|trace| trace["rootTraceName"] == name));
    assert!(found("{ traceDuration > 10h }").await.is_empty());
}

#[tokio::test]
async fn the_older_parameters_work_too() {
    let ask = async |parameters: &[(&str, &str)]| {
        grafana("/api/search", parameters).await.good()["traces"].as_array().unwrap().len()
    };
    let tagged = ask(&[("tags", "service.name=kubelet name=syncPod"), ("limit", "50")]).await;
    assert!(tagged > 0);
    let quoted = [("tags", "name=\"patch deployments\" service.name=kubernetes"), ("limit", "50")];
    assert!(ask(&quoted).await > 0, "a value in quotes may have spaces");
    assert_eq!(ask(&[("tags", "service.name=kubelet name=nothing")]).await, 0);
    assert_eq!(ask(&[("tags", "service.name=kubelet"), ("minDuration", "10h")]).await, 0);
    assert_eq!(ask(&[("q", "{}"), ("start", "1000"), ("end", "2000")]).await, 0);
    assert_eq!(grafana("/api/search", &[("tags", "nothing")]).await.status, 400);
    assert_eq!(grafana("/api/search", &[("limit", "-1")]).await.status, 400);
}

#[tokio::test]
async fn a_wrong_query_is_refused_with_the_place() {
    let words = refused("/api/search", "{ duration > 1s } | compare({ })").await;
    assert_eq!(words, "bad TraceQL at position 21: `| compare` is not supported\n");
    assert!(refused("/api/search", "{} | rate()").await.contains("/api/metrics/query_range"));
}

#[tokio::test]
async fn no_trace_comes_twice() {
    let traces: Vec<Value> = found("{}").await;
    let ids: BTreeSet<&str> = traces.iter().map(|trace| trace["traceID"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), traces.len()), (20, 20));
}
