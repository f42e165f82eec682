//! An endpoint that speaks OTLP/gRPC.

use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use prost::Message;
use tonic::codec::CompressionEncoding;
use tonic::metadata::{MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig};
use tonic::{Code, Request, Status};

use super::channel::Failure;
use super::settings::Endpoint;

/// An endpoint, connected when it is needed.
pub(super) struct Grpc {
    service: TraceServiceClient<Channel>,
    headers: MetadataMap,
    timeout: Duration,
}

impl Grpc {
    /// Reads the settings; connects later.
    pub(super) fn new(endpoint: &Endpoint, timeout: Duration) -> Result<Self, String> {
        let mut channel = Channel::from_shared(endpoint.url.clone()).map_err(|error| error.to_string())?;
        let scheme = channel.uri().scheme_str().map(str::to_owned);
        match scheme.as_deref() {
            Some("http") => {}
            Some("https") => {
                channel = channel.tls_config(authorities(endpoint)?).map_err(|error| error.to_string())?;
            }
            _ => return Err("it must begin with http:// or https://".to_owned()),
        }
        let channel = channel.connect_timeout(timeout).connect_lazy();
        let mut client = TraceServiceClient::new(channel);
        if endpoint.gzip {
            client = client.send_compressed(CompressionEncoding::Gzip);
        }
        let mut headers = MetadataMap::new();
        for (name, value) in &endpoint.headers {
            let key = MetadataKey::from_bytes(name.to_ascii_lowercase().as_bytes());
            let key = key.map_err(|_| format!("{name:?} is no header's name"))?;
            let value = MetadataValue::try_from(value).map_err(|_| format!("the value of {name} is none"))?;
            headers.insert(key, value);
        }
        Ok(Self { service: client, headers, timeout })
    }

    /// Sends a request, which must have ended within this time; how many of its spans were refused.
    pub(super) async fn send(&mut self, message: ExportTraceServiceRequest, within: Duration) -> Result<u64, Failure> {
        let mut call = Request::new(message);
        *call.metadata_mut() = self.headers.clone();
        let answer = tokio::time::timeout(self.timeout.min(within), self.service.export(call)).await;
        let answer = answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("it did not answer in time")));
        let partial = answer.map_err(|status| failure(&status))?.into_inner().partial_success;
        Ok(partial.map_or(0, |partial| u64::try_from(partial.rejected_spans).unwrap_or_default()))
    }
}

fn authorities(endpoint: &Endpoint) -> Result<ClientTlsConfig, String> {
    let tls = ClientTlsConfig::new();
    if let Some(path) = &endpoint.authorities {
        let pem = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        return Ok(tls.ca_certificate(Certificate::from_pem(pem)));
    }
    let native = rustls_native_certs::load_native_certs();
    let roots = native.certs.into_iter().filter_map(|der| webpki_anchor(&der));
    Ok(tls.trust_anchors(roots))
}

/// A certificate of the system as an anchor of trust; one that cannot be read is left out, as others do.
fn webpki_anchor(der: &rustls::pki_types::CertificateDer<'_>) -> Option<rustls::pki_types::TrustAnchor<'static>> {
    let mut store = rustls::RootCertStore::empty();
    store.add(der.clone().into_owned()).ok()?;
    store.roots.pop()
}

/// OTLP's rules: which codes may be tried again.
fn failure(status: &Status) -> Failure {
    let after = retry_after(status.details());
    let (kind, retryable) = match status.code() {
        Code::Unavailable => ("unavailable", true),
        Code::DeadlineExceeded => ("deadline_exceeded", true),
        Code::Cancelled => ("cancelled", true),
        Code::Aborted => ("aborted", true),
        Code::OutOfRange => ("out_of_range", true),
        Code::DataLoss => ("data_loss", true),
        Code::ResourceExhausted => ("resource_exhausted", after.is_some()),
        // A connection that breaks is reported as unknown, and comes with its cause.
        Code::Unknown => ("unknown", std::error::Error::source(status).is_some()),
        Code::Unauthenticated => ("unauthenticated", false),
        Code::PermissionDenied => ("permission_denied", false),
        Code::InvalidArgument => ("invalid_argument", false),
        Code::Unimplemented => ("unimplemented", false),
        _ => ("other", false),
    };
    let message = format!("it answered {:?}: {}", status.code(), status.message());
    Failure { kind, message, retryable, after }
}

/// The pause that an endpoint asks for in its `google.rpc.RetryInfo`.
fn retry_after(details: &[u8]) -> Option<Duration> {
    crate::receive::RpcStatus::decode(details).ok()?.retry_after()
}
