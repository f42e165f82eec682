//! Optional white space around the parts of a header.

/// Cuts optional white space (OWS of RFC 9110: spaces and tabs) off both ends.
pub(super) fn trim_ows(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}
