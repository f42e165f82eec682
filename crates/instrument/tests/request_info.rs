//! A path of the Kubernetes API means what Kubernetes v1.34.4 takes it for.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

use clew_instrument::http::RequestInfo;
use http::Method;
use serde_json::Value;

/// Paths with an empty part, which Kubernetes reads as an object without a resource and we as no resource at all.
const ON_PURPOSE: [&str; 1] = ["/api/v1//nodes"];

#[test]
fn paths_mean_what_kubernetes_takes_them_for() {
    let mut compared = 0;
    for line in include_str!("golden/request_info.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["path"].as_str().unwrap();
        if ON_PURPOSE.contains(&text) {
            continue;
        }
        let method: Method = case["method"].as_str().unwrap().parse().unwrap();
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let ours = RequestInfo::parse(&method, path, query).map(|info| {
            [
                info.verb,
                info.prefix,
                info.group,
                info.version,
                info.namespace,
                info.resource,
                info.name,
                info.subresource,
            ]
        });
        let theirs: Option<Vec<&str>> =
            case["info"].as_array().map(|parts| parts.iter().map(|part| part.as_str().unwrap()).collect());
        assert_eq!(ours.map(Vec::from), theirs, "{method} {text}");
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

proptest::proptest! {
    #[test]
    fn no_path_makes_the_reader_panic(path in "[/a-z%]{0,40}", query in "[a-z=&%A-Z.,3D]{0,40}") {
        if let Some(info) = RequestInfo::parse(&Method::GET, &path, Some(&query)) {
            info.template();
        }
    }
}
