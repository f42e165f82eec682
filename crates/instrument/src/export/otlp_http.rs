//! OTLP over HTTP, as protobuf or JSON.

use super::exporter::{Batch, ExportError, ExportFuture, Exported, Exporter, Target};
use super::http_client::HttpClient;
use super::otlp_grpc::exported;
use super::otlp_settings::{OtlpSettings, Protocol};
use crate::attribute::Attribute;
use crate::metrics::Snapshot;
use crate::net::Connector;
use crate::otlp;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderName, HeaderValue, Request, header};
use http_body_util::Full;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message;
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

/// An exporter to one collector.
pub(super) struct OtlpHttp {
    settings: OtlpSettings,
    client: HttpClient,
}

impl OtlpHttp {
    pub(super) fn new(settings: OtlpSettings, connector: Connector) -> Self {
        Self { settings, client: HttpClient::new(connector) }
    }

    /// Sends a batch with headers beyond the configured ones.
    pub(super) fn export_with(&self, batch: &Batch, extra: &[(HeaderName, HeaderValue)]) -> ExportFuture {
        let mut request = self.request(&self.settings.paths[0], &otlp::request(batch));
        if let Ok(request) = &mut request {
            request.headers_mut().extend(extra.iter().cloned());
        }
        let client = self.client.clone();
        let protocol = self.settings.protocol;
        Box::pin(async move {
            let answer = client.send(request?).await?;
            Ok(read(protocol, &answer))
        })
    }

    fn request<T: Message + Serialize>(&self, path: &str, message: &T) -> Result<Request<Full<Bytes>>, ExportError> {
        let broken =
            |error: &dyn std::error::Error| ExportError::fatal("encoding", format!("encoding a batch failed: {error}"));
        let json = self.settings.protocol == Protocol::HttpJson;
        let mut body =
            if json { serde_json::to_vec(message).map_err(|error| broken(&error))? } else { message.encode_to_vec() };
        let authority = match self.settings.endpoint.port() {
            Some(_) => self.settings.endpoint.to_string(),
            None => "localhost".to_owned(),
        };
        let kind = if json { "application/json" } else { "application/x-protobuf" };
        // The connector adds TLS itself, so the client always sees plain text.
        let mut request = Request::post(format!("http://{authority}{path}")).header(header::CONTENT_TYPE, kind);
        if self.settings.gzip {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&body).map_err(|error| broken(&error))?;
            body = encoder.finish().map_err(|error| broken(&error))?;
            request = request.header(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        for (name, value) in &self.settings.headers {
            request = request.header(name, value);
        }
        request.body(Full::new(Bytes::from(body))).map_err(|error| broken(&error))
    }
}

fn read(protocol: Protocol, answer: &[u8]) -> Exported {
    let answer = match protocol {
        Protocol::HttpJson => serde_json::from_slice(answer).unwrap_or_default(),
        _ => ExportTraceServiceResponse::decode(answer).unwrap_or_default(),
    };
    exported(answer)
}

impl Exporter for OtlpHttp {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        self.export_with(&batch, &[])
    }

    fn target(&self) -> Target {
        let component = match self.settings.protocol {
            Protocol::HttpJson => "otlp_http_json_span_exporter",
            _ => "otlp_http_span_exporter",
        };
        Target {
            component: Cow::Borrowed(component),
            address: Some(self.settings.endpoint.host().to_owned()),
            port: self.settings.endpoint.port(),
        }
    }

    fn export_metrics(&self, metrics: &Snapshot, resource: &[Attribute]) -> Option<ExportFuture> {
        let message = otlp::metrics_request(metrics, resource, SystemTime::now());
        let request = self.request(&self.settings.paths[1], &message);
        let client = self.client.clone();
        Some(Box::pin(async move {
            client.send(request?).await?;
            Ok(Exported::default())
        }))
    }
}
