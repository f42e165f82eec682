//! A request's body: all of it, within its limits.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};

use super::budget::Share;
use super::frame;
use super::refusal::Refusal;
use super::settings::Limits;

/// As much room is made for a body that says so; for what is longer, room grows as it comes.
const ROOM: usize = 1 << 20;

/// Reads a body to its end. `extra` bytes are allowed beside the limit: the frame of gRPC.
pub(super) async fn read(
    mut body: Incoming,
    limits: &Limits,
    extra: usize,
    share: &mut Share,
) -> Result<Bytes, Refusal> {
    let deadline = Instant::now() + limits.body_time;
    let max = limits.request_bytes.saturating_add(extra);
    if body.size_hint().lower() > max as u64 {
        return Err(Refusal::TooLarge(limits.request_bytes));
    }
    let mut first: Option<Bytes> = None;
    let mut rest = BytesMut::new();
    let mut length = 0_usize;
    while let Some(frame) = timeout_at(deadline, body.frame()).await.map_err(|_| Refusal::Slow)? {
        let Ok(data) = frame.map_err(|_| Refusal::Gone)?.into_data() else {
            continue;
        };
        length = length.saturating_add(data.len());
        if length > max {
            return Err(Refusal::TooLarge(limits.request_bytes));
        }
        share.grow(data.len())?;
        match first.take() {
            None if rest.is_empty() => first = Some(data),
            before => {
                // Small requests come as one piece, which is not copied.
                if let Some(before) = before {
                    rest.reserve(announced(&body, &before, extra).min(ROOM).max(length));
                    rest.extend_from_slice(&before);
                }
                rest.extend_from_slice(&data);
            }
        }
    }
    Ok(first.unwrap_or_else(|| rest.freeze()))
}

/// How long a body says that it is: room that grows by doubling would be kept with the request. Zero if it does not say.
fn announced(body: &Incoming, first: &[u8], extra: usize) -> usize {
    let hint = body.size_hint().exact().and_then(|rest| usize::try_from(rest).ok());
    match (hint, frame::head(first)) {
        (Some(rest), _) => first.len().saturating_add(rest),
        (None, Some((_, length))) if extra > 0 => length.saturating_add(extra),
        (None, _) => 0,
    }
}
