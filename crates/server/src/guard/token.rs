//! The bearer token: in the header for programs, in a cookie for browsers, which cannot set headers on a stream.

use axum::http::{HeaderMap, HeaderValue, Uri, header};

/// The cookie that a browser keeps the token in.
const COOKIE: &str = "clew-token";
/// The parameter that brings it there: `/?token=…` is the address that `clew up` prints.
const PARAMETER: &str = "token";
/// The header with which the page asks to keep the token that it brings.
const KEEP: &str = "clew-keep-token";

/// The tokens that a request brings: that of its header, then that of its cookie.
pub(super) fn brought(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let text = |name| headers.get_all(name).into_iter().filter_map(|value: &HeaderValue| value.to_str().ok());
    let bearer = text(header::AUTHORIZATION).filter_map(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let cookies = text(header::COOKIE).flat_map(|value| value.split(';')).filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    bearer.chain(cookies)
}

/// The cookie for a token that the page brings in the header and asks to keep: a stream cannot bring a header.
pub(super) fn to_keep(headers: &HeaderMap, tls: bool) -> Option<HeaderValue> {
    headers.get(KEEP)?;
    let (_, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    cookie(token.trim(), tls)
}

/// None for a token that a cookie cannot hold.
fn cookie(token: &str, tls: bool) -> Option<HeaderValue> {
    let fits = token.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\'));
    let secure = if tls { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&cookie).ok().filter(|_| fits)
}

/// Where to go, and the cookie to take along, if the address itself brings the token.
pub(super) fn entry(uri: &Uri, token: &str, tls: bool) -> Option<(String, HeaderValue)> {
    let pairs = uri.query()?.split('&');
    let (tokens, rest): (Vec<&str>, Vec<&str>) = pairs.partition(|pair| pair.split('=').next() == Some(PARAMETER));
    let brought = tokens.first()?.split_once('=')?.1;
    if !is_same(brought, token) {
        return None;
    }
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    // A path that begins with two slashes would lead to another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    Some((format!("{path}{query}"), cookie(token, tls)?))
}

/// Compares in a time that tells nothing about where the two differ.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_brought(name: header::HeaderName, value: &'static str) -> bool {
        let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
        brought(&headers).any(|brought| is_same(brought, "s3cret"))
    }

    #[test]
    fn the_token_comes_in_a_header_or_a_cookie() {
        assert!(is_brought(header::AUTHORIZATION, "Bearer s3cret"));
        assert!(is_brought(header::AUTHORIZATION, "bearer  s3cret"));
        assert!(is_brought(header::COOKIE, "a=b; clew-token=s3cret"));
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(!is_brought(header::AUTHORIZATION, "Bearer s3cre"));
        assert!(!is_brought(header::AUTHORIZATION, "Basic s3cret"));
        assert!(!is_brought(header::AUTHORIZATION, "s3cret"));
        assert!(!is_brought(header::COOKIE, "token=s3cret"));
        assert_eq!(brought(&HeaderMap::new()).count(), 0);
    }

    #[test]
    fn the_page_may_have_its_token_kept() {
        let headers = |pairs: &[(&'static str, &'static str)]| -> HeaderMap {
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
        };
        let asked = headers(&[("authorization", "Bearer s3cret"), ("clew-keep-token", "1")]);
        assert_eq!(to_keep(&asked, false).unwrap(), "clew-token=s3cret; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(to_keep(&headers(&[("authorization", "Bearer s3cret")]), false), None);
        assert_eq!(to_keep(&headers(&[("authorization", "Bearer a;b"), ("clew-keep-token", "1")]), false), None);
    }

    #[test]
    fn an_address_with_the_token_becomes_a_cookie() {
        let (to, cookie) = entry(&Uri::from_static("/journeys/1?a=b&token=s3cret"), "s3cret", false).unwrap();
        assert_eq!(to, "/journeys/1?a=b");
        assert_eq!(cookie, "clew-token=s3cret; Path=/; HttpOnly; SameSite=Strict");
        assert!(entry(&Uri::from_static("/?token=x"), "s3cret", false).is_none());
        let (to, cookie) = entry(&Uri::from_static("//evil.example/?token=s3cret"), "s3cret", true).unwrap();
        assert_eq!(to, "/evil.example/");
        assert!(cookie.to_str().unwrap().ends_with("; Secure"), "over TLS the cookie never goes another way");
    }
}
