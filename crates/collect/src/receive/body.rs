//! A request's body: all of it, within its limits.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};

use super::budget::Share;
use super::refusal::Refusal;
use super::settings::Limits;

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
                rest.extend_from_slice(&before.unwrap_or_default());
                rest.extend_from_slice(&data);
            }
        }
    }
    Ok(first.unwrap_or_else(|| rest.freeze()))
}
