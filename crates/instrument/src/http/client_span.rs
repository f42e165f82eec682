//! A client span by hand, for clients that no layer fits: a protocol of one's own over HTTP.

use super::attributes;
use super::protocol::Http;
use crate::attribute::attr;
use crate::layer::{Peer, Protocol};
use crate::trace::{Context, Kind, Span, Status};
use crate::tracing::{Description, Tracing};
use http::{HeaderMap, Method, StatusCode, Uri};

/// The span of one call; it ends when it is dropped, best after the answer's body was read.
///
/// ```no_run
/// # use clew_instrument::{Tracing, http::ClientSpan};
/// # fn run(tracing: Tracing, mut request: http::Request<()>) {
/// let uri = request.uri().clone();
/// let method = request.method().clone();
/// let span = ClientSpan::begin(&tracing, &method, &uri.to_string(), request.headers_mut());
/// // send the request, then:
/// span.answered(http::StatusCode::OK, &http::HeaderMap::new());
/// # }
/// ```
pub struct ClientSpan {
    span: Option<Span>,
}

impl ClientSpan {
    /// Begins the span and writes the context into the request's headers. With reqwest: `request.method()`,
    /// `request.url().as_str()`, `request.headers_mut()`.
    pub fn begin(tracing: &Tracing, method: &Method, url: &str, headers: &mut HeaderMap) -> Self {
        if !tracing.state().propagates() {
            return Self { span: None };
        }
        let parent = Context::current();
        if let Some(recording) = &parent.recording {
            recording.commit();
        }
        let context = tracing.begin(parent, false, || {
            let method = attributes::method(method);
            let mut list = vec![
                attr("http.request.method", method.clone()),
                attr("url.full", attributes::without_credentials(url)),
            ];
            let authority = url.parse::<Uri>().ok().and_then(|uri| uri.authority().map(ToString::to_string));
            attributes::push_host(&mut list, authority.as_deref());
            Description {
                kind: Kind::Client,
                name: format!("HTTP {method}").into(),
                attributes: list,
                links: Vec::new(),
            }
        });
        tracing.inject(&context, headers);
        Self { span: Some(Span::from_parts(context, None)) }
    }

    /// Says what the answer's head was.
    pub fn answered(&self, status: StatusCode, headers: &HeaderMap) {
        if let Some(span) = &self.span {
            Http::answered(Peer::Client, span.as_ref(), status, headers);
        }
    }

    /// Says that there was no answer.
    pub fn failed(&self, error: &dyn std::error::Error) {
        if let Some(span) = &self.span {
            span.set("error.type", "_OTHER");
            span.set_status(Status::Error(error.to_string().into()));
        }
    }
}
