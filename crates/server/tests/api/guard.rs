//! Who is let in, and which headers every answer carries.

use crate::support::{app, ask, ask_with};
use clew_server::{Access, router};

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
async fn with_a_token_only_health_is_open() {
    let access = Access { token: Some("s3cret".into()), ..Access::default() };
    let guarded = || router(app().access(access.clone()));
    for path in ["/", "/api/v1/status", "/api/v1/journeys/stream", "/metrics"] {
        let answer = ask(guarded(), path).await;
        assert!(answer.error(401).contains("Authorization: Bearer"), "{path}");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    assert_eq!(ask(guarded(), "/healthz").await.status, 200);
    let bearer = [("authorization", "Bearer s3cret")];
    ask_with(guarded(), "/api/v1/status", &bearer).await.good();
    ask_with(guarded(), "/api/v1/status", &[("cookie", "clew-token=s3cret")]).await.good();
    let entry = ask(guarded(), "/journeys?token=s3cret").await;
    assert_eq!((entry.status.as_u16(), entry.headers["location"].to_str().unwrap()), (303, "/journeys"));
    assert!(entry.headers["set-cookie"].to_str().unwrap().contains("HttpOnly"));
}

#[tokio::test]
async fn large_answers_are_compressed_for_who_can_read_that() {
    let answer = ask_with(router(app()), "/api/v1/journeys", &[("accept-encoding", "gzip")]).await;
    assert_eq!(answer.headers["content-encoding"], "gzip");
}
