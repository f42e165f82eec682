//! The `Host` header on loopback: a page that rebinds its name to 127.0.0.1 (DNS rebinding) brings its own name along.

use axum::http::{HeaderMap, Uri, header};

/// Whether a request names a host that the server has.
pub(super) fn is_ours(uri: &Uri, headers: &HeaderMap, own: &[String]) -> bool {
    let header = headers.get(header::HOST).map(|host| host.to_str().unwrap_or("(not text)"));
    let Some(authority) = header.or_else(|| uri.authority().map(http::uri::Authority::as_str)) else { return false };
    let host = name(authority);
    let is_loopback = matches!(host, "localhost" | "127.0.0.1" | "[::1]") || host.ends_with(".localhost");
    is_loopback || own.iter().any(|own| own.eq_ignore_ascii_case(host))
}

/// The host without its port.
fn name(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        is_ours(&Uri::from_static("/"), &headers, &["clew.example".to_owned()])
    }

    #[test]
    fn loopback_and_own_names_are_ours() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]", "[::1]:80", "CLEW.example:9", "x.localhost"]
        {
            assert!(ours(host), "{host}");
        }
    }

    #[test]
    fn names_of_others_are_not() {
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example", "", "10.0.0.1:80", "evil.example:127"]
        {
            assert!(!ours(host), "{host}");
        }
        assert!(!is_ours(&Uri::from_static("/"), &HeaderMap::new(), &[]));
    }

    #[test]
    fn http_two_names_the_host_in_the_address() {
        assert!(is_ours(&Uri::from_static("http://localhost:9/x"), &HeaderMap::new(), &[]));
        assert!(!is_ours(&Uri::from_static("http://evil.example/x"), &HeaderMap::new(), &[]));
    }
}
