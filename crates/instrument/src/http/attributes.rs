//! The attributes of HTTP spans, by OpenTelemetry's current semantic conventions and Kubernetes' own names.

use super::request_info::RequestInfo;
use crate::attribute::{Attribute, Text, attr};
use crate::layer::Head;
use http::{HeaderName, Method, Version, header};
use std::borrow::Cow;
use std::net::SocketAddr;

/// A request's audit id, put into its extensions by the audit; the `Audit-ID` header is read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditId(pub String);

/// The route that a framework matched, put into a request's extensions by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route(pub Text);

/// Where a request's connection comes from, put into its extensions by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// Kubernetes cuts an audit id after this many characters.
const MAX_AUDIT_ID: usize = 64;

pub(super) static AUDIT_ID: HeaderName = HeaderName::from_static("audit-id");

/// The name and attributes of a server span.
pub(super) fn server(head: &Head<'_>) -> (Text, Vec<Attribute>) {
    let method = method(head.method);
    let mut attributes = Vec::with_capacity(16);
    attributes.push(attr("http.request.method", method.clone()));
    attributes.push(attr("url.path", head.uri.path().to_owned()));
    attributes.push(attr("url.scheme", head.uri.scheme_str().unwrap_or("http").to_owned()));
    if let Some(query) = head.uri.query() {
        attributes.push(attr("url.query", query.to_owned()));
    }
    let host = head.uri.authority().map(http::uri::Authority::as_str).or_else(|| text(head, &header::HOST));
    push_host(&mut attributes, host);
    if let Some(agent) = text(head, &header::USER_AGENT) {
        attributes.push(attr("user_agent.original", agent.to_owned()));
    }
    if let Some(PeerAddress(peer)) = head.extensions.get() {
        attributes.push(attr("client.address", peer.ip().to_string()));
        attributes.push(attr("network.peer.address", peer.ip().to_string()));
        attributes.push(attr("network.peer.port", peer.port()));
    }
    attributes.push(attr("network.protocol.version", protocol_version(head.version)));
    if let Some(audit_id) = audit_id(head) {
        attributes.push(attr("audit-id", audit_id));
    }
    let info = RequestInfo::parse(head.method, head.uri.path(), head.uri.query());
    if let Some(info) = &info {
        push_info(&mut attributes, info);
    }
    let route = route(head).or_else(|| info.map(|info| info.template().into()));
    let name = match &route {
        Some(route) => format!("{method} {route}").into(),
        None => method,
    };
    if let Some(route) = route {
        attributes.push(attr("http.route", route));
    }
    (name, attributes)
}

/// The name and attributes of a client span.
pub(super) fn client(head: &Head<'_>) -> (Text, Vec<Attribute>) {
    let method = method(head.method);
    let mut attributes = Vec::with_capacity(6);
    attributes.push(attr("http.request.method", method.clone()));
    attributes.push(attr("url.full", without_credentials(&head.uri.to_string())));
    push_host(
        &mut attributes,
        head.uri.authority().map(http::uri::Authority::as_str).or_else(|| text(head, &header::HOST)),
    );
    (format!("HTTP {method}").into(), attributes)
}

/// A method that HTTP knows; others are `_OTHER`, so that names stay few.
pub(super) fn method(method: &Method) -> Text {
    let known = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
        Method::CONNECT,
        Method::TRACE,
    ];
    match known.iter().position(|known| known == method) {
        Some(index) => Cow::Borrowed(
            ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE"]
                .get(index)
                .copied()
                .unwrap_or("_OTHER"),
        ),
        None => Cow::Borrowed("_OTHER"),
    }
}

fn push_info(attributes: &mut Vec<Attribute>, info: &RequestInfo<'_>) {
    let pairs = [
        ("k8s.request.verb", info.verb),
        ("k8s.request.group", info.group),
        ("k8s.request.version", info.version),
        ("k8s.request.resource", info.resource),
        ("k8s.request.subresource", info.subresource),
        ("k8s.namespace.name", info.namespace),
        ("k8s.request.name", info.name),
    ];
    for (key, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
        attributes.push(attr(key, value.to_owned()));
    }
}

pub(super) fn push_host(attributes: &mut Vec<Attribute>, host: Option<&str>) {
    let Some(host) = host else { return };
    let host = host.rsplit('@').next().unwrap_or_default();
    let (address, port) = match host.rsplit_once(':') {
        Some((address, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (address, port.parse::<u16>().ok()),
        _ => (host, None),
    };
    attributes.push(attr("server.address", address.trim_matches(['[', ']']).to_owned()));
    if let Some(port) = port {
        attributes.push(attr("server.port", port));
    }
}

/// A URL whose user and password are not shown.
pub(super) fn without_credentials(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://REDACTED:REDACTED@{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

fn text<'a>(head: &Head<'a>, name: &HeaderName) -> Option<&'a str> {
    head.headers.get(name).and_then(|value| value.to_str().ok())
}

fn audit_id(head: &Head<'_>) -> Option<String> {
    let own = head.extensions.get::<AuditId>().map(|AuditId(id)| id.as_str());
    own.or_else(|| text(head, &AUDIT_ID)).map(cut_audit_id)
}

pub(super) fn cut_audit_id(id: &str) -> String {
    id.chars().take(MAX_AUDIT_ID).collect()
}

#[cfg(feature = "axum")]
fn route(head: &Head<'_>) -> Option<Text> {
    let matched = head.extensions.get::<axum::extract::MatchedPath>().map(|path| path.as_str().to_owned().into());
    own_route(head).or(matched)
}

#[cfg(not(feature = "axum"))]
fn route(head: &Head<'_>) -> Option<Text> {
    own_route(head)
}

fn own_route(head: &Head<'_>) -> Option<Text> {
    head.extensions.get::<Route>().map(|Route(route)| route.clone())
}

fn protocol_version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "0.9",
        Version::HTTP_10 => "1.0",
        Version::HTTP_2 => "2",
        Version::HTTP_3 => "3",
        _ => "1.1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_in_a_url_are_not_shown() {
        assert_eq!(without_credentials("https://me:secret@host/a?b=c"), "https://REDACTED:REDACTED@host/a?b=c");
        assert_eq!(without_credentials("https://host/a@b"), "https://host/a@b");
    }

    #[test]
    fn a_method_that_nobody_knows_is_other() {
        assert_eq!(method(&Method::from_bytes(b"BREW").unwrap()), "_OTHER");
        assert_eq!(method(&Method::PATCH), "PATCH");
    }
}
