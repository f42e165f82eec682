//! The webhook as the API server calls it.

use axum::body::Body;
use clew_collect::live::{SourceKind, Sources};
use clew_model::annotation::Codec;
use http::Request as HttpRequest;
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::*;

const CALLER: &str = "00-11111111111111111111111111111111-2222222222222222-01";

fn webhook() -> Webhook {
    let settings = Settings { cluster: "c".into(), codec: Codec::default(), templates: false };
    let source = Sources::default().of("c", SourceKind::Admission, "webhook");
    Webhook { settings: Arc::new(settings), contexts: Arc::default(), facts: None, source }
}

async fn call(traceparent: Option<&str>, body: String) -> (StatusCode, Value) {
    call_of(webhook(), traceparent, body).await
}

async fn call_of(webhook: Webhook, traceparent: Option<&str>, body: String) -> (StatusCode, Value) {
    let mut request = HttpRequest::post("/admission");
    if let Some(value) = traceparent {
        request = request.header("traceparent", value);
    }
    let request = request.body(Body::from(body)).expect("a request");
    let response = router(webhook).oneshot(request).await.expect("an answer");
    let status = response.status();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

fn review(object: &Value) -> String {
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": {"group": "apps", "version": "v1", "kind": "Deployment"},
        "resource": {"group": "apps", "version": "v1", "resource": "deployments"},
        "name": "web", "namespace": "shop", "operation": "CREATE", "userInfo": {"username": "alice"},
        "object": object, "oldObject": null, "dryRun": false,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"}}})
    .to_string()
}

#[tokio::test]
async fn a_create_gets_the_context_of_the_call_and_the_audit_log_is_told() {
    let object = json!({"metadata": {"name": "web", "annotations": {"a": "b"}}, "spec": {"replicas": 1}});
    let (status, answer) = call(Some(CALLER), review(&object)).await;
    assert_eq!(status, 200);
    let response = &answer["response"];
    assert_eq!((answer["kind"].as_str(), response["allowed"].as_bool()), (Some("AdmissionReview"), Some(true)));
    assert_eq!(response["uid"], "705ab4f5-6393-11e8-b7cc-42010a800002");
    assert_eq!(response["patchType"], "JSONPatch");
    let written = STANDARD.decode(response["patch"].as_str().expect("a patch")).expect("base64");
    let written: Value = serde_json::from_slice(&written).expect("a patch");
    let place = "/metadata/annotations/tracing.k8s.io~1traceparent";
    assert_eq!(written, json!([{"op": "add", "path": place, "value": CALLER}]));
    assert_eq!(response["auditAnnotations"], json!({"traceparent": CALLER, "origin": "caller"}));
}

#[tokio::test]
async fn what_an_object_makes_at_once_inherits_before_anybody_knows_its_uid() {
    let webhook = webhook();
    let set = json!({"metadata": {"name": "web", "annotations": {"tracing.k8s.io/traceparent": CALLER}}, "spec": {}});
    assert_eq!(call_of(webhook.clone(), None, review(&set)).await.0, 200);
    let owner = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "u-1", "controller": true});
    let pod = json!({"metadata": {"generateName": "web-", "ownerReferences": [owner]}, "spec": {}});
    let pod = review(&pod).replace("\"name\":\"web\",\"namespace\"", "\"name\":\"\",\"namespace\"");
    let origin = async |body: String| {
        let (_, answer) = call_of(webhook.clone(), None, body).await;
        let told = &answer["response"]["auditAnnotations"];
        (told["origin"].clone(), told["traceparent"].as_str().unwrap_or_default()[..35].to_owned())
    };
    assert_eq!(origin(pod.clone()).await, (json!("owner"), CALLER[..35].to_owned()));
    let elsewhere = pod.replace("\"namespace\":\"shop\"", "\"namespace\":\"lab\"");
    assert_eq!(origin(elsewhere).await.0, "new", "another namespace's object of that name");
}

#[tokio::test]
async fn what_is_left_as_it_is_gets_no_patch() {
    let object = json!({"metadata": {"annotations": {"tracing.k8s.io/traceparent": CALLER}}, "spec": {}});
    let (status, answer) = call(None, review(&object)).await;
    assert_eq!((status, answer["response"]["allowed"].as_bool()), (StatusCode::OK, Some(true)));
    assert!(answer["response"].get("patch").is_none() && answer["response"].get("patchType").is_none());
}

#[tokio::test]
async fn what_is_no_review_is_refused_without_a_panic() {
    for body in ["", "{}", "[]", r#"{"request": null}"#, r#"{"request": {"object": 1, "uid": 2}}"#] {
        assert_eq!(call(Some("nonsense"), body.to_owned()).await.0, StatusCode::BAD_REQUEST, "{body}");
    }
    let odd = json!({"request": {"uid": "u", "operation": "CREATE", "object": {"metadata": 1, "spec": []}}});
    assert_eq!(call(None, odd.to_string()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn nothing_that_an_object_holds_is_kept_or_sent_back() {
    let object = json!({"metadata": {"name": "web", "uid": "u-1", "labels": {"l": "hidden-label"}},
        "data": {"password": "hidden-value"}, "spec": {"env": "hidden-spec"}});
    let body = review(&object).replace("\"oldObject\":null", &format!("\"oldObject\":{object}"));
    let review: Review = serde_json::from_str(&body).expect("a review");
    let kept = format!("{:?}", admission(&review.request, None));
    assert!(kept.contains("u-1") && kept.contains("web"), "{kept}");
    let (_, answer) = call(None, body).await;
    let patch = answer["response"]["patch"].as_str().map(|text| STANDARD.decode(text).expect("base64"));
    let patch = String::from_utf8(patch.unwrap_or_default()).expect("text");
    for text in [&kept, &patch, &answer.to_string()] {
        assert!(!text.contains("hidden"), "{text}");
    }
}
