//! The `traceparent` header: version, trace id, parent id and flags.

use crate::hex::{self, Case};
use crate::{Error, Result, SpanId, TraceContext, TraceId};

/// The length of version 00, and of the part of any later version that this one can read.
const LENGTH: usize = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".len();
const CURRENT: u8 = 0x00;
const FORBIDDEN: u8 = 0xff;
const KNOWN_FLAGS: u8 = TraceContext::SAMPLED | TraceContext::RANDOM;

pub(super) fn parse(text: &str) -> Result<TraceContext> {
    let Some((known, rest)) = text.as_bytes().split_at_checked(LENGTH) else {
        return Err(Error::TraceParent("it is too short"));
    };
    if [known[2], known[35], known[52]] != *b"---" {
        return Err(Error::TraceParent("its parts do not have their lengths"));
    }
    let version = byte(&known[0..2])?;
    check_version(version, rest)?;
    let flags = byte(&known[53..55])?;
    let trace_id = TraceId::parse_strict(&known[3..35])
        .map_err(|_| Error::TraceParent("its trace id is not lower-case hexadecimal"))?;
    let span_id = SpanId::parse_strict(&known[36..52])
        .map_err(|_| Error::TraceParent("its parent id is not lower-case hexadecimal"))?;
    if !trace_id.is_valid() || !span_id.is_valid() {
        return Err(Error::TraceParent("an id is zero"));
    }
    // A later version may give the other bits another meaning, so only the one that will stay is taken.
    let flags = if version == CURRENT { flags } else { flags & TraceContext::SAMPLED };
    Ok(TraceContext::new(trace_id, span_id, flags))
}

fn check_version(version: u8, rest: &[u8]) -> Result<()> {
    if version == FORBIDDEN {
        return Err(Error::TraceParent("version ff is forbidden"));
    }
    if version == CURRENT && !rest.is_empty() {
        return Err(Error::TraceParent("version 00 has nothing after the flags"));
    }
    if !rest.is_empty() && !rest.starts_with(b"-") {
        return Err(Error::TraceParent("its flags are longer than two digits"));
    }
    Ok(())
}

fn byte(digits: &[u8]) -> Result<u8> {
    let [byte] = hex::decode(digits, Case::Lower)
        .ok_or(Error::TraceParent("its version or flags are not lower-case hexadecimal"))?;
    Ok(byte)
}

pub(super) fn format(context: &TraceContext) -> String {
    // W3C: bits that this version does not define are sent as zero.
    let flags = [context.flags & KNOWN_FLAGS];
    let mut text = String::with_capacity(LENGTH);
    text.push_str("00");
    for part in [&context.trace_id.to_bytes()[..], &context.span_id.to_bytes(), &flags] {
        text.push('-');
        text.push_str(hex::text(part, &mut [0; 32]));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRACE: &str = "12345678901234567890123456789012";
    const PARENT: &str = "1234567890123456";

    /// The cases of the W3C trace-context test suite (`test/test.py`), with their names.
    #[test]
    fn what_the_w3c_suite_accepts_is_read() {
        let cases = [
            ("both headers", format!("00-{TRACE}-{PARENT}-00")),
            ("sampled", format!("00-{TRACE}-{PARENT}-01")),
            ("version 0xcc", format!("cc-{TRACE}-{PARENT}-01")),
            ("version 0xcc with more", format!("cc-{TRACE}-{PARENT}-01-what-the-future-will-be-like")),
            ("version 0xcc with an empty end", format!("cc-{TRACE}-{PARENT}-01-")),
            ("version 0xfe", format!("fe-{TRACE}-{PARENT}-01")),
            ("unknown flags", format!("00-{TRACE}-{PARENT}-ff")),
        ];
        for (name, text) in cases {
            let context = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(context.trace_id.to_string(), TRACE, "{name}");
            assert_eq!(context.span_id.to_string(), PARENT, "{name}");
        }
    }

    #[test]
    fn what_the_w3c_suite_refuses_is_refused() {
        let cases = [
            ("version 0x00 with more", format!("00-{TRACE}-{PARENT}-01-what-the-future-will-be-like")),
            ("version 0x00 with a point", format!("00-{TRACE}-{PARENT}-01.")),
            ("version 0xcc without a dash", format!("cc-{TRACE}-{PARENT}-01.what-the-future-will-not-be-like")),
            ("version 0xff", format!("ff-{TRACE}-{PARENT}-01")),
            ("illegal version", format!(".0-{TRACE}-{PARENT}-01")),
            ("illegal version", format!("0.-{TRACE}-{PARENT}-01")),
            ("version too long", format!("000-{TRACE}-{PARENT}-01")),
            ("version too long", format!("0000-{TRACE}-{PARENT}-01")),
            ("version too short", format!("0-{TRACE}-{PARENT}-01")),
            ("trace id all zero", format!("00-{}-{PARENT}-01", "0".repeat(32))),
            ("illegal trace id", format!("00-.2345678901234567890123456789012-{PARENT}-01")),
            ("illegal trace id", format!("00-1234567890123456789012345678901.-{PARENT}-01")),
            ("trace id too long", format!("00-{TRACE}3-{PARENT}-01")),
            ("trace id too short", format!("00-{}-{PARENT}-01", &TRACE[1..])),
            ("trace id in upper case", format!("00-{}-{PARENT}-01", "A".repeat(32))),
            ("parent id all zero", format!("00-{TRACE}-0000000000000000-01")),
            ("illegal parent id", format!("00-{TRACE}-.234567890123456-01")),
            ("parent id too long", format!("00-{TRACE}-{PARENT}7-01")),
            ("parent id too short", format!("00-{TRACE}-{}-01", &PARENT[1..])),
            ("illegal flags", format!("00-{TRACE}-{PARENT}-.0")),
            ("illegal flags", format!("00-{TRACE}-{PARENT}-0.")),
            ("flags too long", format!("00-{TRACE}-{PARENT}-001")),
            ("flags too short", format!("00-{TRACE}-{PARENT}-1")),
            ("white space", format!(" 00-{TRACE}-{PARENT}-01")),
            ("nothing", String::new()),
            ("a character of several bytes", format!("00-{TRACE}-{PARENT}-é")),
        ];
        for (name, text) in cases {
            assert!(parse(&text).is_err(), "{name}: {text}");
        }
    }

    #[test]
    fn flags_of_a_later_version_are_taken_only_as_far_as_known() {
        assert_eq!(parse(&format!("cc-{TRACE}-{PARENT}-ff")).unwrap().flags, TraceContext::SAMPLED);
    }

    #[test]
    fn unknown_flags_are_sent_as_zero() {
        let context = parse(&format!("00-{TRACE}-{PARENT}-ff")).unwrap();
        assert_eq!(context.traceparent(), format!("00-{TRACE}-{PARENT}-03"));
    }

    proptest! {
        #[test]
        fn a_context_survives_the_header(trace: [u8; 16], span: [u8; 8], flags in 0..4_u8) {
            let context = TraceContext::new(TraceId::from_bytes(trace), SpanId::from_bytes(span), flags);
            prop_assume!(context.is_valid());
            prop_assert_eq!(parse(&context.traceparent()), Ok(context));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,70}") {
            let _ = parse(&text);
        }

        #[test]
        fn what_is_read_is_written_back(text in "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[a-z]{0,5})?") {
            if let Ok(context) = parse(&text) {
                prop_assert_eq!(&context.traceparent()[2..52], &text[2..52]);
            }
        }
    }
}
