//! The live stream: who is told what, and what happens to slow readers.

use crate::support::{Memory, rollout, woven};
use axum::body::Body;
use axum::http::Request;
use clew_server::{App, Event, Live, router};
use clew_store::{Column, Comparison, Filter, Operand};
use clew_weave::{State, Upserts};
use http_body_util::BodyExt;
use tower::ServiceExt;

fn upserts() -> Upserts {
    let replayed = woven("rollout");
    Upserts { journeys: replayed.journeys, spans: replayed.spans, edges: replayed.edges, retired: Vec::new() }
}

fn equal(column: Column, value: &str) -> Filter {
    Filter::Compare(column.into(), Comparison::Equal, Operand::Text(value.into()))
}

#[tokio::test]
async fn readers_get_the_journeys_that_their_filter_chooses() {
    let live = Live::default();
    let mut services = live.subscribe(&equal(Column::Kind, "Service"), None).unwrap();
    let mut all = live.subscribe(&Filter::All, None).unwrap();
    live.publish("lab", &upserts());
    let Some(Event::Journey(row, _)) = services.next().await else { panic!("no row") };
    assert!(row.contains("created Service shop/web"), "{row}");
    for _ in 0..rollout().details.len() {
        assert!(matches!(all.next().await, Some(Event::Journey(..))));
    }
    assert_eq!(live.counts().dropped, 0);
}

#[tokio::test]
async fn a_journey_that_no_longer_fits_is_said_to_have_left() {
    let live = Live::default();
    let open = Filter::And(vec![equal(Column::State, "open"), equal(Column::Kind, "Service")]);
    let mut reader = live.subscribe(&open, None).unwrap();
    let mut changed = upserts();
    changed.journeys.retain(|journey| journey.root.resource == "services");
    let id = changed.journeys[0].journey;
    changed.journeys[0].state = State::Open;
    live.publish("lab", &changed);
    changed.journeys[0].state = State::Converged;
    live.publish("lab", &changed);
    assert!(matches!(reader.next().await, Some(Event::Journey(..))));
    let Some(Event::Left(about)) = reader.next().await else { panic!("it did not leave") };
    assert_eq!((about.journey, about.cluster.as_str()), (id, "lab"));
}

#[tokio::test]
async fn a_slow_reader_is_told_to_ask_again_and_delays_nobody() {
    let live = Live::default();
    let mut slow = live.subscribe(&Filter::All, None).unwrap();
    let changed = upserts();
    let times = 1024 / changed.journeys.len() + 2;
    (0..times).for_each(|_| live.publish("lab", &changed));
    assert!(live.counts().dropped > 0);
    let mut told = 0;
    while slow.next().await != Some(Event::Resync) {
        told += 1;
    }
    assert_eq!(told, 1024);
    live.publish("lab", &changed);
    assert!(matches!(slow.next().await, Some(Event::Journey(..))));
}

#[tokio::test]
async fn too_many_readers_are_refused_until_one_leaves() {
    let live = Live::default();
    let mut readers: Vec<_> = std::iter::from_fn(|| live.subscribe(&Filter::All, None)).collect();
    assert_eq!((readers.len(), live.counts().refused), (256, 1));
    readers.pop();
    assert!(live.subscribe(&Filter::All, None).is_some());
}

#[tokio::test]
async fn the_stream_is_made_of_server_sent_events() {
    let app = App::new(std::sync::Arc::new(Memory::default()));
    let live = app.live.clone();
    let request = Request::get("/api/v1/journeys/stream?kind=Service").body(Body::empty()).unwrap();
    let response = router(app).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut changed = upserts();
    changed.retired.push(changed.journeys[0].journey);
    live.publish("lab", &changed);
    let mut body = response.into_body();
    let mut text = String::new();
    while !text.contains("event: journey") {
        let frame = body.frame().await.unwrap().unwrap();
        text.push_str(&String::from_utf8_lossy(frame.data_ref().unwrap()));
    }
    assert!(text.starts_with("event: retired\ndata: {\"journey\":\""), "{text}");
}
