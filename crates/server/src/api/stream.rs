//! Journeys as they change, by server-sent events.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event as Sse, KeepAlive};
use axum::response::{IntoResponse, Response};
use clew_model::TraceId;
use http::{HeaderValue, StatusCode, header};

use super::asked::Asked;
use crate::access::{Heard, Viewer};
use crate::clock;
use crate::error::ApiError;
use crate::live::{Event, Subscription};
use crate::parameters::{FILTERS, Selection};
use crate::viewed::Viewed;

/// How often a silent stream shows that it is there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Rows of journeys that are new or changed, until the reader goes.
pub(super) async fn follow(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS])?;
    let selection = Selection::read(&asked, clock::now())?;
    let Some(subscription) = app.live.subscribe(&selection.filter, selection.range.from) else {
        let message = "too many streams are open: close one, or try again later";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    };
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    let reader = Reader { subscription, viewer: app.viewer, shown: HashSet::new() };
    let events = futures_util::stream::unfold(reader, step);
    let mut response = axum::response::Sse::new(events).keep_alive(keep_alive).into_response();
    // A proxy that collects the stream before it passes it on would make it useless.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Who reads, and which journeys they were shown.
struct Reader {
    subscription: Subscription,
    viewer: Viewer,
    shown: HashSet<TraceId>,
}

/// The next event that the reader may hear; the stream of somebody who is nobody any more ends.
async fn step(mut reader: Reader) -> Option<(Result<Sse, Infallible>, Reader)> {
    loop {
        let event = reader.subscription.next().await?;
        let Viewer::Guest(guest) = &reader.viewer else { return Some((Ok(encode(event)), reader)) };
        match (guest.may_hear(&event, &mut reader.shown).await?, &event) {
            (Heard::Yes, _) => return Some((Ok(encode(event)), reader)),
            (Heard::Left, Event::Journey(_, about)) => {
                return Some((Ok(encode(Event::Left(Arc::clone(about)))), reader));
            }
            (Heard::Left | Heard::No, _) => {}
        }
    }
}

fn encode(event: Event) -> Sse {
    let id = |id| format!("{{\"journey\":\"{id}\"}}");
    match event {
        Event::Journey(row, _) => Sse::default().event("journey").data(&*row),
        Event::Left(about) => Sse::default().event("left").data(id(about.journey)),
        Event::Retired(journey) => Sse::default().event("retired").data(id(journey)),
        Event::Resync => Sse::default().event("resync").data("{}"),
    }
}
