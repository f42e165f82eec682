//! The list of journeys and one journey, over a real capture.

use std::collections::HashSet;
use std::sync::Arc;

use crate::support::{Memory, ask, get, pretty, woven};
use clew_server::{App, router};
use clew_store::StoreError;
use serde_json::Value;

fn titles(list: &Value) -> Vec<&str> {
    list["journeys"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn journeys_come_newest_first_with_their_titles() {
    let list = get("/api/v1/journeys").await.good();
    insta::assert_snapshot!(titles(&list).join("\n"));
    assert_eq!(list["next"], Value::Null);
    let starts: Vec<&str> =
        list["journeys"].as_array().unwrap().iter().map(|row| row["start"].as_str().unwrap()).collect();
    assert!(starts.is_sorted_by(|one, other| one >= other));
}

#[tokio::test]
async fn a_row_has_what_the_page_shows() {
    let list = get("/api/v1/journeys?verb=patch&limit=1").await.good();
    insta::assert_snapshot!(pretty(&list["journeys"][0]));
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let all = get("/api/v1/journeys").await.good();
    let (mut seen, mut path) = (Vec::new(), "/api/v1/journeys?limit=2".to_owned());
    loop {
        let page = get(&path).await.good();
        seen.extend(page["journeys"].as_array().unwrap().iter().map(|row| row["journey"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/v1/journeys?limit=2&cursor={next}");
    }
    let ids: Vec<Value> = all["journeys"].as_array().unwrap().iter().map(|row| row["journey"].clone()).collect();
    assert_eq!(seen, ids);
}

#[tokio::test]
async fn filters_choose_and_what_no_journey_has_finds_none() {
    let count = async |query: &str| {
        get(&format!("/api/v1/journeys?{query}")).await.good()["journeys"].as_array().unwrap().len()
    };
    let all = count("").await;
    assert_eq!(count("namespace=shop&namespace=other").await + count("kind=Namespace").await, all);
    assert_eq!(count("namespace=nowhere").await, 0);
    assert!(count("kind=Deployment").await < all);
    assert_eq!(count("state=converged&state=open&state=failed&state=stuck").await, all);
    assert!(count("q=SERVICE").await > 0);
    assert_eq!(count("attr=user.name=alice@example.com").await, all);
    assert_eq!(count("attr=user.name!=alice@example.com").await, 0);
    assert_eq!(count("attr=user.name!=bob").await, all);
    assert_eq!(count("min_duration=1h").await, 0);
    assert_eq!(count("since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z").await, 0);
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let error = get("/api/v1/journeys?limit=0").await.error(400);
    assert_eq!(error, "parameter limit: \"0\" is no number from 1 to 1000");
    let error = get("/api/v1/journeys?nmaespace=shop").await.error(400);
    assert!(error.starts_with("parameter \"nmaespace\": means nothing here; known are cluster, namespace"), "{error}");
    assert!(get("/api/v1/journeys?cursor=x").await.error(400).starts_with("parameter cursor"));
}

async fn one(query: &str) -> Value {
    let list = get(&format!("/api/v1/journeys?{query}&limit=1")).await.good();
    let id = list["journeys"][0]["journey"].as_str().unwrap().to_owned();
    get(&format!("/api/v1/journeys/{id}")).await.good()
}

#[tokio::test]
async fn a_journey_is_one_tree_of_its_own_and_the_native_spans() {
    let journey = one("verb=patch").await;
    let id = &journey["journey"];
    let spans = journey["spans"].as_array().unwrap();
    let ids: HashSet<&str> = spans.iter().map(|span| span["spanId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), spans.len(), "a span is there twice");
    let roots: Vec<&Value> = spans.iter().filter(|span| span["parentId"].is_null()).collect();
    assert_eq!(roots.len(), 1);
    for span in spans {
        assert_eq!(&span["traceId"], id);
        assert!(span["parentId"].as_str().is_none_or(|parent| ids.contains(parent)), "{span}");
        assert_eq!(span["native"] == true, span["originalTraceId"].is_string(), "{span}");
    }
    assert!(spans.iter().any(|span| span["native"] == true));
    assert!(spans.iter().any(|span| span["native"] == true && span["evidence"].is_string()));
    assert!(spans.iter().any(|span| span["critical"] == true && span["evidence"].is_string()));
    assert_eq!(roots[0]["critical"], true);
}

#[tokio::test]
async fn a_native_trace_leads_to_its_journey_or_is_given_bare() {
    let journey = one("verb=patch").await;
    let segment = journey["segments"][0].as_str().unwrap();
    let same = get(&format!("/api/v1/journeys/{segment}")).await.good();
    assert_eq!(same["journey"], journey["journey"]);
    let bare = get(&format!("/api/v1/journeys/{segment}?raw=1")).await.good();
    let spans = bare["spans"].as_array().unwrap();
    assert!(!spans.is_empty() && spans.iter().all(|span| span["traceId"] == segment));
}

#[tokio::test]
async fn a_journey_is_given_as_otlp_too() {
    let journey = one("verb=patch").await;
    let id = journey["journey"].as_str().unwrap();
    let otlp = get(&format!("/api/v1/journeys/{id}/otlp")).await.good();
    let groups = otlp["resourceSpans"].as_array().unwrap();
    let spans: usize = groups.iter().map(|group| group["scopeSpans"][0]["spans"].as_array().unwrap().len()).sum();
    assert_eq!(spans, journey["spans"].as_array().unwrap().len());
}

#[tokio::test]
async fn what_is_not_there_is_said_to_be_missing() {
    let id = "00000000000000000000000000000001";
    assert!(get(&format!("/api/v1/journeys/{id}")).await.error(404).starts_with("no journey 0000"));
    assert!(get(&format!("/api/v1/journeys/{id}?raw=1")).await.error(404).starts_with("no native trace"));
    assert!(get("/api/v1/journeys/xyz").await.error(400).contains("32 hexadecimal digits"));
    assert!(get("/api/v1/nothing").await.error(404).contains("openapi.json"));
}

#[tokio::test]
async fn a_store_that_fails_is_told_with_its_own_words() {
    let full = || StoreError::Full { what: "disk".into(), retry_after: std::time::Duration::from_secs(9) };
    let store = Memory { broken: Some(full), ..Memory::default() };
    let answer = ask(router(App::new(Arc::new(store))), "/api/v1/journeys").await;
    assert_eq!(answer.error(503), "the store is full: disk; try again in 9 s");
    assert_eq!(answer.headers["retry-after"], "9");
}

#[tokio::test]
async fn what_is_usual_is_told_where_enough_is_known() {
    let store = Arc::new(Memory::of("lab", woven("busy")));
    let list = ask(router(App::new(store)), "/api/v1/journeys").await.good();
    let rows = list["journeys"].as_array().unwrap();
    let usual = |row: &Value| row["usual"]["count"].as_u64();
    assert!(rows.iter().filter_map(usual).all(|count| count >= 3));
    let is_creation = |row: &&Value| row["root"]["objectKind"] == "Deployment" && row["root"]["verb"] == "create";
    let creation = rows.iter().find(is_creation).unwrap();
    assert!(creation["usual"]["p95Ms"].as_f64() >= creation["usual"]["p50Ms"].as_f64());
    assert!(usual(creation).is_some());
    assert!(rows.iter().any(|row| row["usual"].is_null()));
}
