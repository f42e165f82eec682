//! HTTP, as the layers see it.

use super::attributes::{self, AUDIT_ID, cut_audit_id};
use crate::layer::{Head, Peer, Protocol};
use crate::trace::{Kind, SpanRef, Status};
use crate::tracing::Description;
use http::{HeaderMap, StatusCode};

/// HTTP by OpenTelemetry's conventions and Kubernetes' names.
#[derive(Clone, Copy, Debug)]
pub struct Http;

impl Protocol for Http {
    fn describe(peer: Peer, head: &Head<'_>) -> Description {
        let (kind, (name, attributes)) = match peer {
            Peer::Server => (Kind::Server, attributes::server(head)),
            Peer::Client => (Kind::Client, attributes::client(head)),
        };
        Description { kind, name, attributes, links: Vec::new() }
    }

    fn answered(peer: Peer, span: SpanRef<'_>, status: StatusCode, headers: &HeaderMap) {
        span.set("http.response.status_code", status.as_u16());
        // The API server tells the id that it gave a request in its answer.
        if let Some(id) = headers.get(&AUDIT_ID).and_then(|value| value.to_str().ok()) {
            span.set("audit-id", cut_audit_id(id));
        }
        let failed = match peer {
            Peer::Server => status.is_server_error(),
            Peer::Client => status.is_client_error() || status.is_server_error(),
        };
        if failed {
            span.set("error.type", status.as_u16().to_string());
            span.set_status(Status::Error("".into()));
        }
    }

    fn trailers(_: Peer, _: SpanRef<'_>, _: &HeaderMap) {}

    fn cut_off(_: Peer, _: SpanRef<'_>) {}
}
