//! The list of targets, with the inputs that each starts from.

use crate::{
    annotation, audit_line, baggage, otlp_json, otlp_line, otlp_protobuf, segment, time, traceparent, traceql,
    tracestate, watch_line, weave_sequence,
};

/// One decoder under test.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, which is also that of the libFuzzer binary.
    pub name: &'static str,
    /// Panics if a rule is broken.
    pub run: fn(&[u8]),
    /// Inputs worth starting from, one on each line.
    pub seeds: &'static str,
}

macro_rules! target {
    ($name:ident) => {
        Target {
            name: stringify!($name),
            run: $name,
            seeds: include_str!(concat!("../seeds/", stringify!($name), ".txt")),
        }
    };
}

/// Every target.
pub const TARGETS: &[Target] = &[
    target!(annotation),
    target!(audit_line),
    target!(baggage),
    target!(otlp_json),
    target!(otlp_line),
    target!(otlp_protobuf),
    target!(segment),
    target!(time),
    target!(traceparent),
    target!(traceql),
    target!(tracestate),
    target!(watch_line),
    target!(weave_sequence),
];
