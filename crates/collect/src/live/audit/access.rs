//! Who may post audit events: whoever shows the token, or a client certificate that the listener has verified.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::tls::VerifiedClient;

/// Who is let in; nobody is asked if neither is set.
#[derive(Clone, Default)]
pub struct Access {
    /// The hash of the bearer token: enough to compare, in constant time, and worth nothing to a thief.
    token: Option<blake3::Hash>,
    /// Names on certificates.
    clients: Vec<String>,
    certificates: bool,
}

impl Access {
    /// Lets everybody in: for a listener on the loopback alone.
    pub fn open() -> Self {
        Self::default()
    }

    /// Lets in whoever shows this token.
    pub fn with_token(self, token: &str) -> Self {
        Self { token: Some(blake3::hash(token.trim().as_bytes())), ..self }
    }

    /// Lets in whoever has a certificate with one of these names, or any verified one if there are none.
    pub fn with_certificates(self, names: Vec<String>) -> Self {
        Self { clients: names, certificates: true, ..self }
    }

    fn lets_in(&self, request: &Request) -> bool {
        if self.token.is_none() && !self.certificates {
            return true;
        }
        self.knows_token(request) || self.knows_certificate(request)
    }

    fn knows_token(&self, request: &Request) -> bool {
        let shown = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.strip_prefix("Bearer "));
        match (self.token, shown) {
            (Some(token), Some(shown)) => blake3::hash(shown.trim().as_bytes()) == token,
            _ => false,
        }
    }

    fn knows_certificate(&self, request: &Request) -> bool {
        let client = request.extensions().get::<VerifiedClient>();
        let is_known = |client: &VerifiedClient| self.clients.is_empty() || self.clients.contains(&client.name);
        self.certificates && client.is_some_and(is_known)
    }
}

/// The layer that asks.
pub(crate) async fn check(State(access): State<Access>, request: Request, next: Next) -> Response {
    if access.lets_in(&request) {
        return next.run(request).await;
    }
    let how = [(header::WWW_AUTHENTICATE, "Bearer")];
    let why = "show the token (Authorization: Bearer) or a client certificate\n";
    (StatusCode::UNAUTHORIZED, how, why).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(authorization: Option<&str>, client: Option<&str>) -> Request {
        let mut request = Request::new(Body::empty());
        if let Some(value) = authorization {
            request.headers_mut().insert(header::AUTHORIZATION, value.parse().expect("a value"));
        }
        if let Some(name) = client {
            request.extensions_mut().insert(VerifiedClient { name: name.to_owned() });
        }
        request
    }

    #[test]
    fn a_token_or_a_certificate_is_enough_and_one_of_them_is_needed() {
        let both = Access::open().with_token("secret\n").with_certificates(vec!["apiserver".to_owned()]);
        for (authorization, client, expected) in [
            (None, None, false),
            (Some("Bearer secret"), None, true),
            (Some("Bearer wrong"), None, false),
            (Some("secret"), None, false),
            (Some("Bearer "), None, false),
            (None, Some("apiserver"), true),
            (None, Some("somebody"), false),
            (Some("Bearer wrong"), Some("apiserver"), true),
        ] {
            assert_eq!(both.lets_in(&request(authorization, client)), expected, "{authorization:?} {client:?}");
        }
        assert!(Access::open().lets_in(&request(None, None)));
        assert!(!Access::open().with_token("a").lets_in(&request(None, Some("apiserver"))));
        assert!(Access::open().with_certificates(vec![]).lets_in(&request(None, Some("anybody"))));
    }
}
