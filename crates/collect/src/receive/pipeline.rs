//! From a body to an acknowledgement: what both protocols do.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use clew_store::otlp::{self, Checked, Counts};

use super::budget::Share;
use super::encoding::Encoding;
use super::json;
use super::refusal::Refusal;
use super::service::Service;

/// A body of more bytes is unpacked and checked where it holds up nobody else.
const LARGE: usize = 256 * 1024;

/// A request that is here.
pub(super) struct Arrived {
    pub(super) body: Bytes,
    pub(super) encoding: Encoding,
    pub(super) is_json: bool,
    pub(super) share: Share,
}

/// Takes a request; what was refused of it comes back.
pub(super) async fn take(service: &Arc<Service>, arrived: Arrived) -> Result<Counts, Refusal> {
    let large = arrived.body.len() > LARGE || arrived.encoding != Encoding::Plain;
    let (checked, share) = if large { check_aside(service, arrived).await? } else { check(service, arrived)? };
    let (bytes, counts) = (checked.request.len(), checked.counts);
    if counts.taken > 0 {
        hand_over(service, checked, share).await?;
    }
    service.counters.acknowledged(&counts, bytes);
    Ok(counts)
}

/// Checks on a thread that may be busy, as many at once as there are cores: unpacking needs memory of its own.
async fn check_aside(service: &Arc<Service>, arrived: Arrived) -> Result<(Checked, Share), Refusal> {
    let failed = || Refusal::Unavailable("the check of the request failed".to_owned());
    let _place = service.unpacking.acquire().await.map_err(|_| failed())?;
    let service = Arc::clone(service);
    let checked = tokio::task::spawn_blocking(move || check(&service, arrived)).await;
    checked.map_err(|_| failed())?
}

fn check(service: &Service, arrived: Arrived) -> Result<(Checked, Share), Refusal> {
    let Arrived { body, encoding, is_json, mut share } = arrived;
    let mut request = encoding.unpack(body, service.limits.request_bytes, &mut share)?;
    if is_json {
        let parsed = json::cost(&request);
        if parsed > service.limits.memory_bytes {
            return Err(Refusal::TooLarge(service.limits.request_bytes));
        }
        share.grow(parsed)?;
        request = json::to_protobuf(&request)?;
    }
    let limits = otlp::Limits { latest: latest(service), ..service.limits.spans };
    Ok((service.sink.check(request, &limits)?, share))
}

/// The last moment at which a span may begin.
fn latest(service: &Service) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let latest = now.saturating_add(service.limits.future).as_nanos();
    u64::try_from(latest).unwrap_or(u64::MAX).min(service.limits.spans.latest)
}

/// Waits until the sink has made it durable. A client that goes away meanwhile does not stop it half-way, and the memory
/// is given back when the sink is done with it, however long that takes.
async fn hand_over(service: &Service, checked: Checked, share: Share) -> Result<(), Refusal> {
    let sink = Arc::clone(&service.sink);
    let taken = tokio::spawn(async move {
        let taken = sink.take(checked).await;
        drop(share);
        taken
    });
    match tokio::time::timeout(service.limits.sink_time, taken).await {
        Ok(Ok(taken)) => taken.map_err(Refusal::from),
        Ok(Err(_)) => Err(Refusal::Unavailable("the store failed".to_owned())),
        Err(_) => Err(Refusal::Unavailable("the store takes too long".to_owned())),
    }
}
