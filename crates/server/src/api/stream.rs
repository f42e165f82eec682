//! Journeys as they change, by server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event as Sse, KeepAlive};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::asked::Asked;
use crate::app::App;
use crate::clock;
use crate::error::ApiError;
use crate::live::{Event, Subscription};
use crate::parameters::{FILTERS, Selection};

/// How often a silent stream shows that it is there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Rows of journeys that are new or changed, until the reader goes.
pub(super) async fn follow(State(app): State<App>, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS])?;
    let selection = Selection::read(&asked, clock::now())?;
    let Some(subscription) = app.live.subscribe(&selection.filter, selection.range.from) else {
        let message = "too many streams are open: close one, or try again later";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    };
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let events = futures_util::stream::unfold(subscription, step);
    let mut response = axum::response::Sse::new(events).keep_alive(keep_alive).into_response();
    // A proxy that collects the stream before it passes it on would make it useless.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn step(mut subscription: Subscription) -> Option<(Result<Sse, Infallible>, Subscription)> {
    let event = subscription.next().await?;
    Some((Ok(encode(event)), subscription))
}

fn encode(event: Event) -> Sse {
    let id = |id| format!("{{\"journey\":\"{id}\"}}");
    match event {
        Event::Journey(row) => Sse::default().event("journey").data(&*row),
        Event::Left(journey) => Sse::default().event("left").data(id(journey)),
        Event::Retired(journey) => Sse::default().event("retired").data(id(journey)),
        Event::Resync => Sse::default().event("resync").data("{}"),
    }
}
