//! What differs between HTTP and gRPC: names, attributes, and what counts as failed.

use crate::trace::SpanRef;
use crate::tracing::Description;
use http::{Extensions, HeaderMap, Method, StatusCode, Uri, Version};

/// Which side of a call a span is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Server,
    Client,
}

/// A request's head, borrowed.
pub struct Head<'a> {
    pub(crate) method: &'a Method,
    pub(crate) uri: &'a Uri,
    pub(crate) version: Version,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) extensions: &'a Extensions,
}

/// What a protocol says of requests and answers; only asked for spans that are recorded.
pub trait Protocol: Clone + Send + Sync + 'static {
    #[doc(hidden)]
    fn describe(peer: Peer, head: &Head<'_>) -> Description;

    #[doc(hidden)]
    fn answered(peer: Peer, span: SpanRef<'_>, status: StatusCode, headers: &HeaderMap);

    #[doc(hidden)]
    fn trailers(peer: Peer, span: SpanRef<'_>, trailers: &HeaderMap);

    /// The stream ended without trailers.
    #[doc(hidden)]
    fn cut_off(peer: Peer, span: SpanRef<'_>);
}
