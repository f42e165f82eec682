//! The connection to an endpoint.

use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;

use super::grpc::Grpc;
use super::http::Http;
use super::settings::Endpoint;
use crate::CollectError;

/// Why a request was not taken.
#[derive(Debug)]
pub(super) struct Failure {
    /// The word for it, of few kinds.
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) retryable: bool,
    pub(super) after: Option<Duration>,
}

/// An endpoint, connected when it is needed.
pub(super) enum Client {
    Grpc(Box<Grpc>),
    Http(Box<Http>),
}

impl Client {
    /// Reads the settings; connects later. An address with a path is one of OTLP/HTTP: gRPC has none.
    pub(super) fn new(endpoint: &Endpoint, timeout: Duration) -> Result<Self, CollectError> {
        let client = if has_path(&endpoint.url) {
            Http::new(endpoint, timeout).map(|http| Self::Http(Box::new(http)))
        } else {
            Grpc::new(endpoint, timeout).map(|grpc| Self::Grpc(Box::new(grpc)))
        };
        client.map_err(|reason| CollectError::Endpoint { url: endpoint.url.clone(), reason })
    }

    /// Sends a request, which must have ended within this time; how many of its spans were refused.
    pub(super) async fn send(&mut self, message: ExportTraceServiceRequest, within: Duration) -> Result<u64, Failure> {
        match self {
            Self::Grpc(grpc) => grpc.send(message, within).await,
            Self::Http(http) => http.send(&message, within).await,
        }
    }
}

fn has_path(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_once('/').is_some_and(|(_, path)| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_http_from_grpc() {
        for grpc in ["http://collector:4317", "https://collector:4317/", "http://[::1]:4317"] {
            assert!(!has_path(grpc), "{grpc}");
        }
        for http in ["http://collector:4318/v1/traces", "https://example.com/otlp/v1/traces?tenant=a"] {
            assert!(has_path(http), "{http}");
        }
    }
}
