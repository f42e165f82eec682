//! The W3C headers.

use clew_model::{Baggage, TraceContext, TraceState};

/// What is read is valid, and survives being written.
pub fn traceparent(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(context) = TraceContext::parse_traceparent(text) else {
        return;
    };
    assert!(context.is_valid());
    let written = context.traceparent();
    assert_eq!(written.len(), 55);
    let again = TraceContext::parse_traceparent(&written).expect("what was written is read");
    assert_eq!(again.traceparent(), written);
}

/// What is read keeps the limits, survives being written, and can be shortened to any length.
pub fn tracestate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(mut state) = text.parse::<TraceState>() else {
        return;
    };
    assert!(state.len() <= 32);
    assert_eq!(state.to_string().parse::<TraceState>().as_ref(), Ok(&state));
    assert!(state.clone().shortened(data.len() / 2).to_string().len() <= data.len() / 2);
    state.insert("clew", "1").expect("a good member is taken");
    assert!(state.len() <= 32);
    assert_eq!(state.iter().next(), Some(("clew", "1")));
}

/// What is read keeps the limits, and its members survive being written.
pub fn baggage(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(baggage) = text.parse::<Baggage>() else {
        return;
    };
    assert!(baggage.iter().len() <= 64);
    let written = baggage.to_string();
    // Percent-encoding can make it longer than the limit again, so only what fits must survive.
    if written.len() <= 8192 {
        let again: Baggage = written.parse().expect("what was written is read");
        assert!(again.iter().eq(baggage.iter()));
    }
}
