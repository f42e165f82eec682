//! Sending, as fast as the server acknowledges.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use prost::Message;
use tokio::task::JoinSet;

use super::shape::Shape;

/// How much is sent, and how.
#[derive(Debug, Clone)]
pub struct Load {
    /// `http://127.0.0.1:4317`.
    pub endpoint: String,
    /// Requests in all.
    pub requests: u64,
    /// Spans in each.
    pub spans: usize,
    /// Connections, each of which waits for an acknowledgement before it sends again.
    pub connections: usize,
}

/// What was sent.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    /// Spans that were acknowledged.
    pub spans: u64,
    /// How long it took.
    pub took: Duration,
    /// How long each acknowledgement took, in order.
    pub acknowledged: Vec<Duration>,
}

impl Sent {
    /// The time within which this share of the requests was acknowledged.
    pub fn quantile(&self, share: f64) -> Duration {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index"
        )]
        let at = ((self.acknowledged.len() as f64 - 1.0) * share).round().max(0.0) as usize;
        self.acknowledged.get(at).copied().unwrap_or_default()
    }
}

/// Sends a load. A request that the server refuses for now is sent again.
pub async fn send(load: &Load, shape: &Shape) -> anyhow::Result<Sent> {
    let began = Instant::now();
    let next = Arc::new(AtomicU64::new(0));
    let mut senders = JoinSet::new();
    for _ in 0..load.connections {
        senders.spawn(one(load.clone(), shape.clone(), Arc::clone(&next)));
    }
    let mut sent = Sent::default();
    while let Some(finished) = senders.join_next().await {
        sent.acknowledged.extend(finished.context("a sender failed")??);
    }
    sent.took = began.elapsed();
    sent.spans = sent.acknowledged.len() as u64 * load.spans as u64;
    sent.acknowledged.sort_unstable();
    Ok(sent)
}

/// Sends one trace in one request.
pub async fn send_trace(endpoint: &str, request: bytes::Bytes) -> anyhow::Result<()> {
    let told = || format!("cannot connect to {endpoint}");
    let client = TraceServiceClient::connect(endpoint.to_owned()).await.with_context(told)?;
    let request = ExportTraceServiceRequest::decode(request).context("our own request")?;
    client.max_encoding_message_size(64 << 20).export(request).await.context("the server refused the trace")?;
    Ok(())
}

async fn one(load: Load, shape: Shape, next: Arc<AtomicU64>) -> anyhow::Result<Vec<Duration>> {
    let told = || format!("cannot connect to {}", load.endpoint);
    let mut client = TraceServiceClient::connect(load.endpoint.clone()).await.with_context(told)?;
    let mut acknowledged = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= load.requests {
            return Ok(acknowledged);
        }
        let request =
            ExportTraceServiceRequest::decode(shape.request(number, load.spans)).context("our own request")?;
        loop {
            let began = Instant::now();
            match client.export(request.clone()).await {
                Ok(_) => {
                    acknowledged.push(began.elapsed());
                    break;
                }
                Err(status) if matches!(status.code(), tonic::Code::Unavailable | tonic::Code::ResourceExhausted) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(status) => return Err(status).context("the server refused the spans"),
            }
        }
    }
}
