//! The history of one object.

use serde_json::Value;

use crate::support::get;

#[tokio::test]
async fn an_object_is_found_by_its_names_and_by_its_uid() {
    let by_name = get("/api/v1/objects?kind=Deployment&namespace=shop&name=web").await.good();
    let object = &by_name["object"];
    assert_eq!((&object["kind"], &object["name"]), (&Value::from("Deployment"), &Value::from("web")));
    assert_eq!(object["cluster"], "lab");
    let by_uid = get(&format!("/api/v1/objects?uid={}", object["uid"].as_str().unwrap())).await.good();
    assert_eq!(by_uid["changes"], by_name["changes"]);
}

#[tokio::test]
async fn its_changes_tell_who_did_what() {
    let history = get("/api/v1/objects?kind=deployment&namespace=shop&name=web").await.good();
    let changes = history["changes"].as_array().unwrap();
    let scale = changes.iter().find(|change| change["subresource"] == "scale").expect("it was scaled");
    assert_eq!((&scale["verb"], &scale["user"]), (&Value::from("patch"), &Value::from("alice@example.com")));
    assert_eq!(scale["diff"][0]["path"], "spec.replicas");
    // Its controllers' conflicts were retried, all but one or two: only those are errors.
    let failed = changes.iter().filter(|change| change["status"]["code"] == "error");
    let failed: Vec<_> = failed.map(|change| &change["message"]).collect();
    assert!(failed.len() <= 2 && failed.iter().all(|message| **message != ""), "{failed:?}");
    let journeys: Vec<&Value> = history["journeys"].as_array().unwrap().iter().map(|row| &row["journey"]).collect();
    assert!(changes.iter().all(|change| journeys.contains(&&change["journey"])));
}

#[tokio::test]
async fn what_names_no_object_is_told() {
    let error = get("/api/v1/objects?kind=Deployment").await.error(400);
    assert!(error.starts_with("parameter name: is missing"), "{error}");
    let error = get("/api/v1/objects?kind=Deployment&name=nobody").await.error(404);
    assert!(error.starts_with("no write to this object was seen"), "{error}");
}

#[tokio::test]
async fn its_conditions_are_those_of_its_newest_version() {
    let history = get("/api/v1/objects?kind=deployment&namespace=shop&name=web").await.good();
    let conditions = history["conditions"].as_array().unwrap();
    let available = conditions.iter().find(|condition| condition["type"] == "Available").expect("a Deployment has it");
    assert_eq!((&available["status"], &available["reason"]), (&"True".into(), &"MinimumReplicasAvailable".into()));
    assert!(available["time"].as_str().is_some_and(|time| time.ends_with('Z')), "{available}");
}
