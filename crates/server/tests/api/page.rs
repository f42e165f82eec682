//! The page, and what is not it.

use axum::body::Body;
use axum::http::Request;
use clew_server::router;
use tower::ServiceExt;

use crate::support::{app, get};

#[tokio::test]
async fn every_path_of_the_page_is_the_page() {
    for path in ["/", "/journeys/0102", "/compare?a=1"] {
        let answer = get(path).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.headers["content-type"]),
            (200, &"text/html; charset=utf-8".parse().unwrap())
        );
        assert_eq!(answer.headers["cache-control"], "no-cache", "{path}");
    }
}

#[cfg(not(feature = "ui"))]
#[tokio::test]
async fn a_build_without_the_page_says_how_to_build_it() {
    assert!(get("/").await.text.contains("npm run build"));
}

#[cfg(feature = "ui")]
#[tokio::test]
async fn files_of_the_page_are_cached_forever() {
    let index = get("/").await.text;
    let (_, script) = index.split_once("src=\"").expect("the page has a script");
    let script = get(&script[..script.find('"').unwrap()]).await;
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    assert!(script.headers["cache-control"].to_str().unwrap().contains("immutable"));
}

#[tokio::test]
async fn what_is_neither_page_nor_route_is_an_error() {
    assert!(get("/api/nothing").await.error(404).contains("openapi.json"));
    assert!(get("/assets/gone.js").await.error(404).starts_with("no file"));
    for path in ["/", "/api/v1/journeys"] {
        let request = Request::post(path).body(Body::empty()).unwrap();
        assert_eq!(router(app()).oneshot(request).await.unwrap().status(), 405, "{path}");
    }
}
