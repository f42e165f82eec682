//! OTLP over gRPC.

use super::exporter::{Batch, ExportError, ExportFuture, Exported, Exporter, Target};
use super::otlp_settings::OtlpSettings;
use crate::attribute::Attribute;
use crate::metrics::Snapshot;
use crate::net::Connector;
use crate::otlp;
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_client::MetricsServiceClient;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use prost::Message;
use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;
use tonic::codec::CompressionEncoding;
use tonic::metadata::MetadataMap;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

/// The pauses between attempts to open a connection before there is anything to send.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// An exporter to one collector.
pub(super) struct OtlpGrpc {
    settings: OtlpSettings,
    connector: Connector,
    /// Made on the export thread's runtime, where its connection lives; locked while it is made, so that there is one.
    channel: Arc<Mutex<Option<Channel>>>,
}

impl OtlpGrpc {
    pub(super) fn new(settings: OtlpSettings, connector: Connector) -> Self {
        Self { settings, connector, channel: Arc::default() }
    }

    fn opening(&self) -> Opening {
        Opening { endpoint: self.endpoint(), connector: self.connector.clone(), channel: Arc::clone(&self.channel) }
    }

    fn endpoint(&self) -> tonic::transport::Endpoint {
        // The connector knows where to go; the URI only fills the request's authority.
        let scheme = if self.settings.tls.is_some() { "https" } else { "http" };
        let authority = match self.settings.endpoint.port() {
            Some(_) => self.settings.endpoint.to_string(),
            None => "localhost".to_owned(),
        };
        let uri = http::Uri::try_from(format!("{scheme}://{authority}"));
        let uri = uri.unwrap_or_else(|_| http::Uri::from_static("http://localhost"));
        tonic::transport::Endpoint::from_static("http://localhost").origin(uri)
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let mut headers = std::mem::take(request.metadata_mut()).into_headers();
        for (name, value) in &self.settings.headers {
            headers.insert(name, value.clone());
        }
        *request.metadata_mut() = MetadataMap::from_headers(headers);
        request
    }
}

/// The one connection, open or to be opened.
struct Opening {
    endpoint: tonic::transport::Endpoint,
    connector: Connector,
    channel: Arc<Mutex<Option<Channel>>>,
}

impl Opening {
    async fn channel(&self) -> Result<Channel, ExportError> {
        let mut channel = self.channel.lock().await;
        if let Some(channel) = &*channel {
            return Ok(channel.clone());
        }
        let opened = self.endpoint.connect_with_connector(self.connector.clone()).await;
        let opened = opened.map_err(|error| {
            let cause = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
            ExportError::retryable("UNAVAILABLE", format!("connecting to the collector failed: {error}{cause}"))
        })?;
        Ok(channel.insert(opened).clone())
    }
}

impl Exporter for OtlpGrpc {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        let request = self.request(otlp::request(&batch));
        let (opening, gzip) = (self.opening(), self.settings.gzip);
        Box::pin(async move {
            let mut client = TraceServiceClient::new(opening.channel().await?);
            if gzip {
                client = client.send_compressed(CompressionEncoding::Gzip);
            }
            let answer = client.export(request).await.map_err(|status| failure(&status))?;
            Ok(exported(answer.into_inner()))
        })
    }

    fn target(&self) -> Target {
        Target {
            component: Cow::Borrowed("otlp_grpc_span_exporter"),
            address: Some(self.settings.endpoint.host().to_owned()),
            port: self.settings.endpoint.port(),
        }
    }

    fn connect(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        let opening = self.opening();
        Some(Box::pin(async move {
            let mut pause = FIRST_PAUSE;
            while opening.channel().await.is_err() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }))
    }

    fn export_metrics(&self, metrics: &Snapshot, resource: &[Attribute]) -> Option<ExportFuture> {
        let request = self.request(otlp::metrics_request(metrics, resource, SystemTime::now()));
        let opening = self.opening();
        Some(Box::pin(async move {
            let mut client = MetricsServiceClient::new(opening.channel().await?);
            client.export(request).await.map_err(|status| failure(&status))?;
            Ok(Exported::default())
        }))
    }
}

/// What a collector said about a batch that it took.
pub(super) fn exported(answer: ExportTraceServiceResponse) -> Exported {
    let Some(partial) = answer.partial_success else { return Exported::default() };
    Exported { rejected: u64::try_from(partial.rejected_spans).unwrap_or(0), message: partial.error_message }
}

/// OTLP's rules: which codes may be tried again.
fn failure(status: &Status) -> ExportError {
    let asked = retry_info(status.details());
    let retryable = match status.code() {
        Code::Cancelled
        | Code::DeadlineExceeded
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unavailable
        | Code::DataLoss => true,
        Code::ResourceExhausted => asked.is_some(),
        // A connection that breaks is reported as unknown, and comes with its cause.
        Code::Unknown => std::error::Error::source(status).is_some(),
        _ => false,
    };
    ExportError {
        kind: Cow::Borrowed(crate::grpc::code_name(status.code())),
        message: format!("the collector answered {:?}: {}", status.code(), status.message()),
        retryable,
        retry_after: asked,
    }
}

#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(message, repeated, tag = "3")]
    details: Vec<AnyMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct AnyMessage {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    delay: Option<ProtoDuration>,
}

#[derive(Clone, PartialEq, Message)]
struct ProtoDuration {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

/// The pause that a collector asks for in its `google.rpc.RetryInfo`.
fn retry_info(details: &[u8]) -> Option<Duration> {
    let status = RpcStatus::decode(details).ok()?;
    let info = status.details.iter().find(|detail| detail.type_url.ends_with("google.rpc.RetryInfo"))?;
    let delay = RetryInfo::decode(info.value.as_slice()).ok()?.delay?;
    Some(Duration::new(u64::try_from(delay.seconds).ok()?, u32::try_from(delay.nanos).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_codes_of_the_protocol_are_tried_again() {
        let retryable = |code| failure(&Status::new(code, "")).retryable;
        for code in [Code::Unavailable, Code::DeadlineExceeded, Code::Aborted, Code::DataLoss, Code::Cancelled] {
            assert!(retryable(code), "{code:?}");
        }
        for code in [Code::InvalidArgument, Code::PermissionDenied, Code::Unauthenticated, Code::ResourceExhausted] {
            assert!(!retryable(code), "{code:?}");
        }
    }

    #[test]
    fn an_exhausted_collector_that_says_when_is_tried_again_then() {
        let info = RetryInfo { delay: Some(ProtoDuration { seconds: 2, nanos: 500_000_000 }) };
        let detail =
            AnyMessage { type_url: "type.googleapis.com/google.rpc.RetryInfo".into(), value: info.encode_to_vec() };
        let details = RpcStatus { details: vec![detail] }.encode_to_vec();
        let error = failure(&Status::with_details(Code::ResourceExhausted, "full", details.into()));
        assert!(error.retryable);
        assert_eq!(error.retry_after, Some(Duration::from_millis(2500)));
    }
}
