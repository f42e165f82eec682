//! Users of a cluster, who see what they may read there: every path, over two captures in two namespaces.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use clew_collect::CollectError;
use clew_collect::live::access::{Authority, Question, User};
use clew_server::{Access, App, Users, router};
use clew_store::{Right, Store};
use clew_weave::Upserts;
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::support::{Answer, Memory, ask, ask_with, woven};

/// A cluster whose users read the namespaces that they are named after.
#[derive(Default)]
struct Lab {
    tokens: AtomicU64,
    reviews: AtomicU64,
    is_down: AtomicBool,
}

#[async_trait]
impl Authority for Lab {
    fn cluster(&self) -> &'static str {
        "lab"
    }

    async fn who(&self, token: &str) -> Result<Option<User>, CollectError> {
        self.answers()?;
        self.tokens.fetch_add(1, Ordering::Relaxed);
        let name = token.strip_prefix("token-of-");
        Ok(name.map(|name| User { name: name.to_owned(), ..User::default() }))
    }

    async fn may(&self, user: &User, question: &Question) -> Result<bool, CollectError> {
        self.answers()?;
        self.reviews.fetch_add(1, Ordering::Relaxed);
        Ok(match question {
            Question::Everything => user.name == "root",
            Question::Metrics => user.name == "prometheus",
            Question::Read(right) => right.namespace == user.name && right.kind != "Secret",
        })
    }
}

impl Lab {
    fn answers(&self) -> Result<(), CollectError> {
        let down = || CollectError::Review { what: "reviews", reason: "it is down".to_owned() };
        if self.is_down.load(Ordering::Relaxed) { Err(down()) } else { Ok(()) }
    }
}

struct Scene {
    lab: Arc<Lab>,
    store: Arc<Memory>,
    users: Users,
    app: App,
}

impl Scene {
    /// Journeys of `captures/rollout`, which are in the namespace `shop`, and of `captures/broken`, in its own.
    fn new() -> Self {
        let mut store = Memory::of("lab", woven("rollout"));
        let broken = Memory::of("lab", woven("broken"));
        store.details.extend(broken.details);
        store.native.extend(broken.native);
        Self::over(store)
    }

    fn over(mut store: Memory) -> Self {
        store.details.sort_by_key(|detail| std::cmp::Reverse((detail.journey.start, detail.journey.journey)));
        let (lab, store) = (Arc::new(Lab::default()), Arc::new(store));
        let users = Users::new(Arc::clone(&lab) as Arc<dyn Authority>, Arc::clone(&store) as Arc<dyn Store>);
        let access = Access { token: Some("own".into()), users: Some(users.clone()), ..Access::default() };
        let app = App::new(Arc::clone(&store) as Arc<dyn Store>).access(access);
        Self { lab, store, users, app }
    }

    fn router(&self) -> Router {
        router(self.app.clone())
    }

    async fn get(&self, token: &str, path: &str) -> Answer {
        let bearer = format!("Bearer {token}");
        ask_with(self.router(), path, &[("host", "localhost"), ("authorization", &bearer)]).await
    }

    /// The namespaces other than one's own of all journeys, and how many journeys there are in each.
    fn namespaces(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for detail in &self.store.details {
            *counts.entry(detail.journey.root.namespace.to_string()).or_default() += 1;
        }
        counts
    }
}

#[tokio::test]
async fn users_see_the_journeys_of_their_own_namespace() {
    let scene = Scene::new();
    let all = scene.namespaces();
    assert!(all.len() >= 2, "{all:?}");
    let listed = scene.get("own", "/api/v1/journeys?limit=1000").await.good();
    assert_eq!(listed["journeys"].as_array().unwrap().len(), scene.store.details.len());
    let listed = scene.get("token-of-shop", "/api/v1/journeys?limit=1000").await.good();
    let rows = listed["journeys"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert!(row["root"]["namespace"] == "shop" || row["root"]["name"] == "shop", "{row}");
    }
    let seen = scene.store.details.iter().filter(|detail| {
        Right::needed(&detail.journey).iter().all(|right| right.namespace == "shop" && right.kind != "Secret")
    });
    assert_eq!(rows.len(), seen.count());
    let none = scene.get("token-of-nowhere", "/api/v1/journeys").await.good();
    assert_eq!(none["journeys"], serde_json::json!([]));
}

#[tokio::test]
async fn a_journey_of_another_namespace_does_not_exist_under_any_of_its_names() {
    let scene = Scene::new();
    let of_shop = |right: &Right| right.namespace == "shop";
    let hidden = scene.store.details.iter().filter(|detail| !Right::needed(&detail.journey).iter().any(of_shop));
    let mut natives = 0;
    for detail in hidden {
        let ids = std::iter::once(detail.journey.journey).chain(detail.journey.segments.iter().copied().take(3));
        for id in ids {
            natives += 1;
            for path in ["/api/v1/journeys/ID", "/api/v1/journeys/ID/otlp", "/api/v1/journeys/ID?raw=1"] {
                let path = path.replace("ID", &id.to_string());
                assert_eq!(scene.get("token-of-shop", &path).await.status, 404, "{path}");
            }
            for path in ["/jaeger/api/traces/ID", "/tempo/api/traces/ID", "/api/v3/traces/ID", "/api/v2/traces/ID"] {
                let answer = scene.get("token-of-shop", &path.replace("ID", &id.to_string())).await;
                assert!(!answer.text.contains(detail.journey.root.name.as_str()), "{path}: {}", answer.text);
            }
        }
    }
    assert!(natives > 10, "{natives}");
}

#[tokio::test]
async fn a_trace_that_is_shared_with_a_hidden_journey_is_hidden_too() {
    let scene = Scene::new();
    let rights = |detail: &&clew_store::JourneyDetail| Right::needed(&detail.journey);
    let shop = scene
        .store
        .details
        .iter()
        .find(|detail| !detail.native.is_empty() && rights(detail).iter().all(|right| right.namespace == "shop"));
    let shop = shop.expect("a journey with segments").clone();
    let path = format!("/api/v1/journeys/{}", shop.journey.journey);
    let whole = scene.get("token-of-shop", &path).await.good();
    let shared = shop.journey.segments[0];
    // The requests of one command share a trace: give the same one to a journey elsewhere.
    let mut details = scene.store.details.clone();
    let other = details.iter_mut().find(|detail| !rights(&&**detail).iter().any(|right| right.namespace == "shop"));
    other.unwrap().journey.segments.push(shared);
    let scene = Scene::over(Memory { details, native: scene.store.native.clone(), ..Memory::default() });
    let less = scene.get("token-of-shop", &path).await.good();
    let spans = |body: &serde_json::Value| body["spans"].as_array().unwrap().len();
    assert!(spans(&less) < spans(&whole), "{} of {}", spans(&less), spans(&whole));
    assert!(!less.to_string().contains(&format!("\"clew.original_trace_id\":\"{shared}\"")));
    assert_eq!(
        scene
            .get(
                "token-of-shop",
                &format!("{path}?raw=1").replace(&shop.journey.journey.to_string(), &shared.to_string())
            )
            .await
            .status,
        404
    );
    assert_eq!(spans(&scene.get("own", &path).await.good()), spans(&whole));
}

#[tokio::test]
async fn what_concerns_everybody_is_for_those_who_may_see_it() {
    let scene = Scene::new();
    for path in ["/api/v1/status", "/metrics", "/api/v1/sql?query=select%201"] {
        let error = scene.get("token-of-shop", path).await.error(403);
        assert!(error.contains("clew's own token"), "{path}: {error}");
    }
    for path in ["/api/v1/status", "/metrics"] {
        assert_eq!(scene.get("own", path).await.status, 200);
        assert_eq!(scene.get("token-of-prometheus", path).await.status, 200);
    }
    let metrics = scene.get("own", "/metrics").await.text;
    assert!(metrics.contains("clew_access_answers_total{what=\"token\",from=\"cluster\"} 2"), "{metrics}");
}

#[tokio::test]
async fn who_may_read_everything_of_a_cluster_sees_all_of_it_but_no_other() {
    let mut store = Memory::of("lab", woven("rollout"));
    let here = store.details.len();
    store.details.extend(Memory::of("elsewhere", woven("broken")).details);
    let scene = Scene::over(store);
    let listed = scene.get("token-of-root", "/api/v1/journeys?limit=1000").await.good();
    assert_eq!(listed["journeys"].as_array().unwrap().len(), here);
}

#[tokio::test]
async fn without_a_token_that_is_somebodys_nothing_is_answered() {
    let scene = Scene::new();
    for path in clew_server::paths() {
        let answer = ask(scene.router(), &path).await;
        let expected = if path == "/healthz" || path == "/readyz" { 200 } else { 401 };
        assert_eq!(answer.status, expected, "{path}");
        if expected == 401 {
            assert_eq!(scene.get("guess", &path).await.status, 401, "{path}");
        }
    }
    assert_eq!(scene.lab.tokens.load(Ordering::Relaxed), 1, "a wrong token is asked about once");
}

#[tokio::test]
async fn a_cluster_that_does_not_answer_lets_nobody_in_but_clews_own_token() {
    let scene = Scene::new();
    scene.lab.is_down.store(true, Ordering::Relaxed);
    let answer = scene.get("token-of-shop", "/api/v1/journeys").await;
    assert!(answer.error(503).contains("it is down"), "{}", answer.text);
    assert_eq!(answer.headers["retry-after"], "5");
    scene.get("own", "/api/v1/journeys").await.good();
    scene.lab.is_down.store(false, Ordering::Relaxed);
    scene.get("token-of-shop", "/api/v1/journeys").await.good();
    // What was answered is remembered for a while.
    scene.lab.is_down.store(true, Ordering::Relaxed);
    let (tokens, reviews) = (scene.lab.tokens.load(Ordering::Relaxed), scene.lab.reviews.load(Ordering::Relaxed));
    scene.get("token-of-shop", "/api/v1/journeys").await.good();
    assert_eq!(scene.lab.tokens.load(Ordering::Relaxed), tokens);
    assert_eq!(scene.lab.reviews.load(Ordering::Relaxed), reviews);
}

#[tokio::test]
async fn the_live_stream_tells_users_of_their_own_namespace_only() {
    let scene = Scene::new();
    let request = Request::get("/api/v1/journeys/stream").header("authorization", "Bearer token-of-shop");
    let response = scene.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200);
    let replayed = woven("broken");
    let hidden: Vec<String> = replayed.journeys.iter().map(|journey| journey.journey.to_string()).collect();
    let retired = replayed.journeys.iter().map(|journey| journey.journey).collect();
    let elsewhere = Upserts { journeys: replayed.journeys, spans: replayed.spans, edges: Vec::new(), retired };
    scene.app.live.publish("lab", &elsewhere);
    let replayed = woven("rollout");
    let here = Upserts { journeys: replayed.journeys, spans: replayed.spans, ..Upserts::default() };
    scene.users.learn("lab", &here);
    scene.app.live.publish("lab", &here);
    let mut body = response.into_body();
    let mut text = String::new();
    while !text.contains("created Service shop/web") {
        let frame = tokio::time::timeout(Duration::from_secs(20), body.frame()).await;
        let frame = frame.unwrap_or_else(|_| panic!("told no more than {text}")).unwrap().unwrap();
        text.push_str(&String::from_utf8_lossy(frame.data_ref().unwrap()));
    }
    for id in hidden {
        assert!(!text.contains(&id), "{text}");
    }
}

#[tokio::test]
async fn the_page_is_open_and_a_browser_keeps_a_users_token() {
    let scene = Scene::new();
    assert_eq!(ask(scene.router(), "/").await.status, 200, "the page holds nothing of the cluster");
    let keep = |token: &'static str| {
        let headers = [("authorization", token), ("clew-keep-token", "1")];
        let router = scene.router();
        async move { ask_with(router, "/api/v1/journeys?limit=1", &headers).await }
    };
    let wrong = keep("Bearer guess").await;
    assert!(wrong.status == 401 && wrong.headers.get("set-cookie").is_none());
    let right = keep("Bearer token-of-shop").await;
    assert_eq!(right.headers["cache-control"], "no-store");
    let cookie = right.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let kept = cookie.split(';').next().unwrap();
    let seen = ask_with(scene.router(), "/api/v1/journeys?limit=1000", &[("cookie", kept)]).await.good();
    let whole = scene.get("token-of-shop", "/api/v1/journeys?limit=1000").await.good();
    assert_eq!(seen, whole);
    assert_eq!(ask_with(scene.router(), "/api/v1/status", &[("cookie", kept)]).await.status, 403);
}
