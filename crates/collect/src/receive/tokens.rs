//! Bearer tokens, compared without telling how much of one was right.

use axum::http::{HeaderMap, HeaderValue, header};

use super::refusal::Refusal;

/// The tokens that are taken, as hashes.
#[derive(Debug, Default)]
pub(super) struct Tokens(Vec<blake3::Hash>);

impl Tokens {
    pub(super) fn new(tokens: &[String]) -> Self {
        Self(tokens.iter().map(|token| blake3::hash(token.as_bytes())).collect())
    }

    /// Whether the request has one of them, or none is asked for.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if self.0.is_empty() {
            return Ok(());
        }
        let sent = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
        let (scheme, token) = sent.split_at_checked(7).unwrap_or_default();
        let hash = blake3::hash(token.trim_ascii());
        // Equality of hashes takes the same time wherever they differ.
        if scheme.eq_ignore_ascii_case(b"bearer ") && self.0.contains(&hash) {
            return Ok(());
        }
        Err(Refusal::Unauthenticated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(tokens: &Tokens, value: &str) -> bool {
        let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().expect("value"))]);
        tokens.check(&headers).is_ok()
    }

    #[test]
    fn one_of_the_tokens_is_enough_and_nothing_else_is() {
        let tokens = Tokens::new(&["one".to_owned(), "two".to_owned()]);
        assert!(sent(&tokens, "Bearer one") && sent(&tokens, "bearer two"));
        for wrong in ["Bearer", "Bearer ", "Bearer on", "Bearer one two", "Basic one", "one"] {
            assert!(!sent(&tokens, wrong), "{wrong}");
        }
        assert!(tokens.check(&HeaderMap::new()).is_err());
        assert!(Tokens::default().check(&HeaderMap::new()).is_ok());
    }
}
