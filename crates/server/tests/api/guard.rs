//! Who is let in, and which headers every answer carries.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use clew_server::{Access, App, router};
use tower::ServiceExt;

use crate::support::{Memory, app, ask, ask_with};

#[tokio::test]
async fn every_answer_carries_the_strict_headers() {
    for path in ["/healthz", "/api/v1/journeys", "/api/v1/journeys/xyz", "/nothing"] {
        let answer = ask(router(app()), path).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
    }
}

#[tokio::test]
async fn on_loopback_a_name_of_others_is_turned_away() {
    let guarded = || router(app().access(Access { loopback: true, ..Access::default() }));
    let error = ask_with(guarded(), "/api/v1/status", &[("host", "evil.example")]).await.error(421);
    assert!(error.contains("use localhost"), "{error}");
    ask_with(guarded(), "/api/v1/status", &[("host", "127.0.0.1:9")]).await.good();
    assert_eq!(ask_with(guarded(), "/healthz", &[("host", "10.1.2.3")]).await.status, 200);
}

#[tokio::test]
async fn with_a_token_only_health_and_the_empty_page_are_open() {
    let access = Access { token: Some("s3cret".into()), ..Access::default() };
    let guarded = || router(app().access(access.clone()));
    for path in ["/api/v1/status", "/api/v1/journeys/stream", "/metrics", "/nothing", "/api/v1/journeys/../../.."] {
        let answer = ask(guarded(), path).await;
        assert!(answer.error(401).contains("Authorization: Bearer"), "{path}");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    for path in ["/healthz", "/", "/journeys/1", "/system"] {
        assert_eq!(ask(guarded(), path).await.status, 200, "{path}");
    }
    let bearer = [("authorization", "Bearer s3cret")];
    ask_with(guarded(), "/api/v1/status", &bearer).await.good();
    ask_with(guarded(), "/api/v1/status", &[("cookie", "clew-token=s3cret")]).await.good();
    let kept = ask_with(guarded(), "/api/v1/status", &[bearer[0], ("clew-keep-token", "1")]).await;
    assert!(kept.headers["set-cookie"].to_str().unwrap().starts_with("clew-token=s3cret; "));
    let refused = [("authorization", "Bearer wrong"), ("clew-keep-token", "1")];
    let refused = ask_with(guarded(), "/api/v1/status", &refused).await;
    assert!(refused.error(401).contains("a token is needed") && refused.headers.get("set-cookie").is_none());
    let entry = ask(guarded(), "/journeys?token=s3cret").await;
    assert_eq!((entry.status.as_u16(), entry.headers["location"].to_str().unwrap()), (303, "/journeys"));
    assert!(entry.headers["set-cookie"].to_str().unwrap().contains("HttpOnly"));
}

#[tokio::test]
async fn large_answers_are_compressed_for_who_can_read_that() {
    let answer = ask_with(router(app()), "/api/v1/journeys", &[("accept-encoding", "gzip")]).await;
    assert_eq!(answer.headers["content-encoding"], "gzip");
}

#[tokio::test]
async fn a_handler_that_panics_is_an_error_and_nothing_else() {
    let store = Memory { broken: Some(|| panic!("a bug")), ..Memory::default() };
    let routes = router(App::new(Arc::new(store)));
    let error = ask(routes.clone(), "/api/v1/journeys").await.error(500);
    assert!(error.contains("bug of clew's"), "{error}");
    assert_eq!(ask(routes, "/healthz").await.status, 200);
}

#[tokio::test]
async fn a_body_that_nobody_reads_is_refused() {
    let request = Request::get("/api/v1/journeys").header("content-length", "100000").body(Body::empty()).unwrap();
    assert_eq!(router(app()).oneshot(request).await.unwrap().status(), 413);
}
