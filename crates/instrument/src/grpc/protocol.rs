//! gRPC, as the layers see it, by OpenTelemetry's current RPC conventions.

use super::code::code_name;
use crate::attribute::{Text, attr};
use crate::layer::{Head, Peer, Protocol};
use crate::settings::percent_decode;
use crate::trace::{Kind, SpanRef, Status};
use crate::tracing::Description;
use http::{HeaderMap, StatusCode};
use tonic::Code;

/// gRPC: spans called `package.Service/Method`.
#[derive(Clone, Copy, Debug)]
pub struct Grpc;

impl Protocol for Grpc {
    fn describe(peer: Peer, head: &Head<'_>) -> Description {
        let method: Text = head.uri.path().trim_start_matches('/').to_owned().into();
        let mut attributes = vec![attr("rpc.system.name", "grpc"), attr("rpc.method", method.clone())];
        if let Some(authority) = head.uri.authority() {
            attributes.push(attr("server.address", authority.host().to_owned()));
            if let Some(port) = authority.port_u16() {
                attributes.push(attr("server.port", port));
            }
        }
        let kind = match peer {
            Peer::Server => Kind::Server,
            Peer::Client => Kind::Client,
        };
        Description { kind, name: method, attributes, links: Vec::new() }
    }

    /// An answer without messages has its status in the headers.
    fn answered(peer: Peer, span: SpanRef<'_>, status: StatusCode, headers: &HeaderMap) {
        if headers.contains_key("grpc-status") {
            set_status(peer, span, headers);
        } else if !status.is_success() {
            fail(span, code_name(Code::Unknown), format!("HTTP {status}").into());
        }
    }

    fn trailers(peer: Peer, span: SpanRef<'_>, trailers: &HeaderMap) {
        set_status(peer, span, trailers);
    }

    fn cut_off(_: Peer, span: SpanRef<'_>) {
        span.set_if_absent("rpc.response.status_code", || {
            fail(span, code_name(Code::Cancelled), "the stream ended without a status".into());
            code_name(Code::Cancelled).into()
        });
    }
}

fn set_status(peer: Peer, span: SpanRef<'_>, headers: &HeaderMap) {
    let number = headers.get("grpc-status").map_or(Code::Unknown, |value| Code::from_bytes(value.as_bytes()));
    let name = code_name(number);
    span.set("rpc.response.status_code", name);
    if !is_failure(peer, number) {
        return;
    }
    let message =
        headers.get("grpc-message").and_then(|value| value.to_str().ok()).map(percent_decode).unwrap_or_default();
    fail(span, name, message.into());
}

fn fail(span: SpanRef<'_>, kind: &'static str, message: Text) {
    span.set("error.type", kind);
    span.set_status(Status::Error(message));
}

/// A server failed only by its own fault; for a client everything but OK is a failure.
fn is_failure(peer: Peer, code: Code) -> bool {
    match peer {
        Peer::Client => code != Code::Ok,
        Peer::Server => matches!(
            code,
            Code::Unknown
                | Code::DeadlineExceeded
                | Code::Unimplemented
                | Code::Internal
                | Code::Unavailable
                | Code::DataLoss
        ),
    }
}
