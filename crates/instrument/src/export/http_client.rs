//! A small HTTP client for exporters: one request, a bounded answer, errors by OTLP's rules.

use super::exporter::ExportError;
use crate::config::Endpoint;
use crate::net::{Connector, Dialer, TlsFiles, client_config};
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use std::borrow::Cow;
use std::time::Duration;

/// The longest answer that is read.
const MAX_ANSWER: usize = 1 << 20;

/// A client to one server.
#[derive(Clone)]
pub(super) struct HttpClient(Client<Connector, Full<Bytes>>);

impl HttpClient {
    pub(super) fn new(connector: Connector) -> Self {
        Self(Client::builder(TokioExecutor::new()).build(connector))
    }

    /// A client to the server of a URL.
    pub(super) fn for_url(url: &str, dialer: Dialer) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or_else(|| format!("{url} is no URL"))?;
        let tls = match scheme {
            "http" => None,
            "https" => Some(client_config(&TlsFiles::default(), b"http/1.1")?),
            _ => return Err(format!("the scheme of {url} is not known: give http or https")),
        };
        let to = Endpoint::authority(rest, if tls.is_some() { 443 } else { 80 })?;
        Ok(Self::new(Connector { dialer, to, tls }))
    }

    /// Sends a request; answers other than success are errors.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Bytes, ExportError> {
        let unreachable = |error: &dyn std::error::Error| {
            let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            ExportError::retryable("connection", format!("sending to the collector failed: {error}{cause}"))
        };
        let response = self.0.request(request).await.map_err(|error| unreachable(&error))?;
        let (parts, body) = response.into_parts();
        let answer = Limited::new(body, MAX_ANSWER).collect().await;
        if !parts.status.is_success() {
            return Err(refused(parts.status, &parts.headers));
        }
        match answer {
            Ok(answer) => Ok(answer.to_bytes()),
            Err(error) => Err(unreachable(error.as_ref())),
        }
    }
}

/// OTLP's rules: 429, 502, 503 and 504 may be tried again, when the server says so.
fn refused(status: StatusCode, headers: &HeaderMap) -> ExportError {
    let after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    ExportError {
        kind: Cow::Owned(status.as_u16().to_string()),
        message: format!("the collector answered {status}"),
        retryable: matches!(status.as_u16(), 429 | 502 | 503 | 504),
        retry_after: after.map(Duration::from_secs),
    }
}
