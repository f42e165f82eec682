//! What a datasource asks before anyone looks at a trace: is someone there, which names and values are there.

use serde_json::Value;

use crate::{grafana, support};

#[tokio::test]
async fn a_datasource_can_be_saved() {
    for base in ["", "/tempo"] {
        let answer = support::get(&format!("{base}/api/echo")).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (200, "echo"));
        let info = support::get(&format!("{base}/api/status/buildinfo")).await.good();
        let version: Vec<u32> =
            info["version"].as_str().unwrap().split('.').map(|part| part.parse().unwrap()).collect();
        assert!(version >= vec![2, 2, 0], "Grafana offers TraceQL from 2.0 on");
    }
}

fn scope<'a>(answer: &'a Value, name: &str) -> Vec<&'a str> {
    let scopes = answer["scopes"].as_array().unwrap();
    let scope = scopes.iter().find(|scope| scope["name"] == name);
    scope.map(|scope| texts(&scope["tags"])).unwrap_or_default()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[tokio::test]
async fn names_come_by_scope() {
    let all = grafana("/api/v2/search/tags", &[("limit", "5000")]).await.good();
    assert!(scope(&all, "span").contains(&"clew.kind"));
    assert!(scope(&all, "resource").contains(&"service.name"));
    assert!(scope(&all, "intrinsic").contains(&"duration"));
    let one = grafana("/api/v2/search/tags", &[("scope", "resource")]).await.good();
    assert_eq!(one["scopes"].as_array().unwrap().len(), 1);
    let old = grafana("/api/search/tags", &[]).await.good();
    assert!(texts(&old["tagNames"]).contains(&"service.name"));
    assert_eq!(grafana("/api/v2/search/tags", &[("scope", "planet")]).await.status, 400);
}

async fn values(tag: &str, query: &str) -> Vec<(String, String)> {
    let answer = grafana(&format!("/api/v2/search/tag/{tag}/values"), &[("q", query)]).await.good();
    let pair =
        |value: &Value| (value["type"].as_str().unwrap().to_owned(), value["value"].as_str().unwrap().to_owned());
    answer["tagValues"].as_array().unwrap().iter().map(pair).collect()
}

#[tokio::test]
async fn values_have_types() {
    let status = values("status", "").await;
    assert_eq!(status[0], ("keyword".to_owned(), "error".to_owned()));
    let services = values("resource.service.name", "{ name = \"syncPod\" }").await;
    assert_eq!(services, [("string".to_owned(), "kubelet".to_owned())]);
    // Grafana encodes the name of a tag twice.
    let twice = values("resource%252Eservice%252Ename", "{ name = \"syncPod\" }").await;
    assert_eq!(twice, services);
    let unfinished = values("resource.service.name", "{ name = ").await;
    assert_eq!(unfinished, values("resource.service.name", "").await);
    assert_eq!(values("duration", "").await, []);
    let old = grafana("/api/search/tag/service.name/values", &[("q", "{ name = \"syncPod\" }")]).await.good();
    assert_eq!(texts(&old["tagValues"]), ["kubelet"]);
}
