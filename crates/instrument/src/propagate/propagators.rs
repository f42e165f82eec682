//! The set of forms that a component understands and speaks.

use super::{b3, jaeger, w3c};
use crate::trace::Context;
use http::HeaderMap;

/// Which forms of context are read from and written to headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each form is on or off on its own, as OTEL_PROPAGATORS has it")]
pub struct Propagators {
    trace_context: bool,
    baggage: bool,
    b3: bool,
    b3_multi: bool,
    jaeger: bool,
}

impl Default for Propagators {
    fn default() -> Self {
        Self { trace_context: true, baggage: true, ..Self::NONE }
    }
}

impl Propagators {
    /// No form at all.
    pub const NONE: Self = Self { trace_context: false, baggage: false, b3: false, b3_multi: false, jaeger: false };

    /// Reads a list of names, for example `tracecontext,baggage,b3`; the error is the name that is not known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut set = Self::NONE;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "tracecontext" => set.trace_context = true,
                "baggage" => set.baggage = true,
                "b3" => set.b3 = true,
                "b3multi" => set.b3_multi = true,
                "jaeger" => set.jaeger = true,
                "none" => set = Self::NONE,
                other => return Err(other.to_owned()),
            }
        }
        Ok(set)
    }

    /// Adds what the headers carry to an empty context; W3C wins over the older forms.
    pub fn extract(&self, headers: &HeaderMap) -> Context {
        let mut context = Context::default();
        if self.jaeger {
            jaeger::extract(headers, &mut context);
        }
        if self.b3 || self.b3_multi {
            b3::extract(headers, &mut context);
        }
        if self.trace_context {
            w3c::extract(headers, &mut context);
        }
        if self.baggage {
            w3c::extract_baggage(headers, &mut context);
        }
        context
    }

    /// Writes a context into headers, over what was there.
    pub fn inject(&self, context: &Context, headers: &mut HeaderMap) {
        if context.span.is_valid() {
            if self.trace_context {
                w3c::inject(context, headers);
            }
            if self.b3 {
                b3::inject_single(&context.span, headers);
            }
            if self.b3_multi {
                b3::inject_multi(&context.span, headers);
            }
            if self.jaeger {
                jaeger::inject(&context.span, headers);
            }
        }
        if self.baggage {
            w3c::inject_baggage(context, headers);
        }
    }
}
