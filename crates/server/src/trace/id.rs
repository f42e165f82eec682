//! Trace ids as people paste them.

use clew_model::TraceId;

use super::fault::Fault;

/// Reads a trace id; one of 64 bits, as older tools have them, stands in the lower half.
pub(crate) fn trace_id(text: &str) -> Result<TraceId, Fault> {
    let digits = text.trim();
    let fits = (1..=32).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let id = fits.then(|| TraceId::parse_lenient(&format!("{digits:0>32}")).ok()).flatten();
    id.filter(|id| id.is_valid()).ok_or_else(|| {
        let text: String = text.chars().take(60).collect();
        Fault::bad_request(format!("{text:?} is no trace id: it has 1 to 32 hexadecimal digits, not all of them zero"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ids_stand_in_the_lower_half() {
        assert_eq!(trace_id("AbC").unwrap().to_string(), "00000000000000000000000000000abc");
        assert_eq!(trace_id(&"ab".repeat(16)).unwrap().to_string(), "ab".repeat(16));
        for wrong in ["", "0", "xyz", &"a".repeat(33), "é"] {
            assert!(trace_id(wrong).unwrap_err().message.contains("hexadecimal"), "{wrong}");
        }
    }
}
