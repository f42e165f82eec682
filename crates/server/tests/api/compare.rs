//! Two journeys, or two groups, beside each other.

use serde_json::Value;

use crate::support::get;

async fn ids(query: &str) -> Vec<String> {
    let list = get(&format!("/api/v1/journeys?{query}")).await.good();
    let rows = list["journeys"].as_array().unwrap().iter();
    rows.map(|row| row["journey"].as_str().unwrap().to_owned()).collect()
}

fn step<'a>(comparison: &'a Value, name: &str) -> &'a Value {
    let steps = comparison["steps"].as_array().unwrap();
    steps.iter().find(|step| step["step"] == name).unwrap_or_else(|| panic!("no {name} in {comparison:#}"))
}

#[tokio::test]
async fn two_journeys_are_compared_step_by_step() {
    let patches = ids("kind=Deployment&verb=patch").await;
    let comparison = get(&format!("/api/v1/compare?a={}&b={}", patches[0], patches[1])).await.good();
    assert_eq!(comparison["a"]["count"], 1);
    assert!(comparison["a"]["label"].as_str().unwrap().contains("Deployment shop/web"));
    assert!(step(&comparison, "scheduling")["a"]["count"].as_u64().unwrap() > 0);
    let deltas: Vec<f64> =
        comparison["steps"].as_array().unwrap().iter().map(|step| step["deltaMs"].as_f64().unwrap().abs()).collect();
    assert!(deltas.is_sorted_by(|one, other| one >= other));
}

#[tokio::test]
async fn a_journey_is_the_same_as_itself() {
    let id = &ids("verb=patch").await[0];
    let comparison = get(&format!("/api/v1/compare?a={id}&b={id}")).await.good();
    assert!(comparison["steps"].as_array().unwrap().iter().all(|step| step["verdict"] == "same"));
}

#[tokio::test]
async fn groups_are_compared_with_a_chance() {
    let comparison = get("/api/v1/compare?a.verb=patch&b.verb=delete").await.good();
    assert_eq!(comparison["a"]["label"], "verb=patch");
    assert_eq!(comparison["a"]["count"], comparison["a"]["sampled"]);
    assert_eq!(step(&comparison, "image pull")["verdict"], "gone");
    assert!(comparison["steps"].as_array().unwrap().iter().any(|step| step["pValue"].is_number()));
}

#[tokio::test]
async fn what_cannot_be_compared_is_told() {
    let error = async |query: &str| get(&format!("/api/v1/compare?{query}")).await.error(400);
    assert!(error("").await.starts_with("parameter a, b: are missing"));
    assert!(error("a=xyz&b=xyz").await.contains("32 hexadecimal digits"));
    assert!(error("a.state=done&b.state=open").await.starts_with("parameter a.state: \"done\""));
    assert!(error("a.verb=x&b.vreb=y").await.starts_with("parameter b.\"vreb\": means nothing here"));
}
