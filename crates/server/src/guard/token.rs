//! The bearer token: in the header for programs, in a cookie for browsers, which cannot set headers on a stream.

use axum::http::{HeaderMap, HeaderValue, Uri, header};

/// The cookie that a browser keeps the token in.
const COOKIE: &str = "clew-token";
/// The parameter that brings it there: `/?token=…` is the address that `clew up` prints.
const PARAMETER: &str = "token";
/// The header with which the page asks to keep the token that it brings.
const KEEP: &str = "clew-keep-token";

/// Whether the request brings the token.
pub(super) fn is_brought(headers: &HeaderMap, token: &str) -> bool {
    let text = |name| headers.get_all(name).into_iter().filter_map(|value: &HeaderValue| value.to_str().ok());
    let bearer = text(header::AUTHORIZATION).filter_map(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let cookies = text(header::COOKIE).flat_map(|value| value.split(';')).filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    bearer.chain(cookies).any(|brought| is_same(brought, token))
}

/// The cookie for a token that the page brings in the header and asks to keep: a stream cannot bring a header.
pub(super) fn to_keep(headers: &HeaderMap) -> Option<HeaderValue> {
    headers.get(KEEP)?;
    let (_, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    cookie(token.trim())
}

/// None for a token that a cookie cannot hold.
fn cookie(token: &str) -> Option<HeaderValue> {
    let fits = token.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\'));
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    HeaderValue::from_str(&cookie).ok().filter(|_| fits)
}

/// Where to go, and the cookie to take along, if the address itself brings the token.
pub(super) fn entry(uri: &Uri, token: &str) -> Option<(String, HeaderValue)> {
    let pairs = uri.query()?.split('&');
    let (tokens, rest): (Vec<&str>, Vec<&str>) = pairs.partition(|pair| pair.split('=').next() == Some(PARAMETER));
    let brought = tokens.first()?.split_once('=')?.1;
    if !is_same(brought, token) {
        return None;
    }
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    // A path that begins with two slashes would lead to another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    Some((format!("{path}{query}"), cookie(token)?))
}

/// Compares in a time that tells nothing about where the two differ.
fn is_same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(name: header::HeaderName, value: &'static str) -> bool {
        let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
        is_brought(&headers, "s3cret")
    }

    #[test]
    fn the_token_comes_in_a_header_or_a_cookie() {
        assert!(brought(header::AUTHORIZATION, "Bearer s3cret"));
        assert!(brought(header::AUTHORIZATION, "bearer  s3cret"));
        assert!(brought(header::COOKIE, "a=b; clew-token=s3cret"));
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(!brought(header::AUTHORIZATION, "Bearer s3cre"));
        assert!(!brought(header::AUTHORIZATION, "Basic s3cret"));
        assert!(!brought(header::AUTHORIZATION, "s3cret"));
        assert!(!brought(header::COOKIE, "token=s3cret"));
        assert!(!is_brought(&HeaderMap::new(), "s3cret"));
    }

    #[test]
    fn the_page_may_have_its_token_kept() {
        let headers = |pairs: &[(&'static str, &'static str)]| -> HeaderMap {
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
        };
        let asked = headers(&[("authorization", "Bearer s3cret"), ("clew-keep-token", "1")]);
        assert_eq!(to_keep(&asked).unwrap(), "clew-token=s3cret; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(to_keep(&headers(&[("authorization", "Bearer s3cret")])), None);
        assert_eq!(to_keep(&headers(&[("authorization", "Bearer a;b"), ("clew-keep-token", "1")])), None);
    }

    #[test]
    fn an_address_with_the_token_becomes_a_cookie() {
        let (to, cookie) = entry(&Uri::from_static("/journeys/1?a=b&token=s3cret"), "s3cret").unwrap();
        assert_eq!(to, "/journeys/1?a=b");
        assert_eq!(cookie, "clew-token=s3cret; Path=/; HttpOnly; SameSite=Strict");
        assert!(entry(&Uri::from_static("/?token=x"), "s3cret").is_none());
        let (to, _) = entry(&Uri::from_static("//evil.example/?token=s3cret"), "s3cret").unwrap();
        assert_eq!(to, "/evil.example/");
    }
}
