//! Which traces are recorded. The decisions are those of the Go SDK, so all components of a cluster agree on a trace.

use crate::ids::TraceId;
use std::fmt;

/// The rule that decides whether a span is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// A parent's decision is followed when there is one.
    parent_based: bool,
    /// A trace id whose last 63 bits are below this is recorded.
    bound: u64,
}

const EVERYTHING: u64 = 1 << 63;

impl Sampler {
    /// Kubernetes' sampler: follow a parent; without one, record `rate` of a million.
    pub fn kubernetes(rate_per_million: i32) -> Self {
        Self { parent_based: true, bound: bound(f64::from(rate_per_million) / 1_000_000.0) }
    }

    /// Records a share of the traces, whatever a parent decided, or after it.
    pub fn ratio(share: f64, parent_based: bool) -> Self {
        Self { parent_based, bound: bound(share) }
    }

    /// The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name.
    pub fn named(name: &str, argument: Option<f64>) -> Option<Self> {
        let share = argument.unwrap_or(1.0);
        Some(match name {
            "always_on" => Self::ratio(1.0, false),
            "always_off" => Self::ratio(0.0, false),
            "traceidratio" => Self::ratio(share, false),
            "parentbased_always_on" => Self::ratio(1.0, true),
            "parentbased_always_off" => Self::ratio(0.0, true),
            "parentbased_traceidratio" => Self::ratio(share, true),
            _ => return None,
        })
    }

    /// Whether a span is recorded; `parent` is the decision of its parent, if it has one.
    #[inline]
    pub(crate) fn decide(&self, trace: TraceId, parent: Option<bool>) -> bool {
        match parent {
            Some(sampled) if self.parent_based => sampled,
            _ => last_63_bits(trace) < self.bound,
        }
    }
}

impl fmt::Display for Sampler {
    #[expect(clippy::cast_precision_loss, reason = "shown to people, in millionths")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = (self.bound as f64 / EVERYTHING as f64 * 1e6).round();
        if self.parent_based {
            return write!(f, "recording what has a sampled parent and {rate} of a million others");
        }
        write!(f, "recording {rate} of a million")
    }
}

#[inline]
fn last_63_bits(trace: TraceId) -> u64 {
    let bytes = trace.to_bytes();
    let mut low = [0; 8];
    low.copy_from_slice(&bytes[8..]);
    u64::from_be_bytes(low) >> 1
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the share is clamped to 0..=1")]
fn bound(share: f64) -> u64 {
    if share >= 1.0 {
        return EVERYTHING;
    }
    // Exact: 2^63 is a power of two, so the product only shifts the exponent.
    (share.max(0.0) * 9_223_372_036_854_775_808.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(low: u64) -> TraceId {
        let mut bytes = [1; 16];
        bytes[8..].copy_from_slice(&low.to_be_bytes());
        TraceId::from_bytes(bytes)
    }

    #[test]
    fn a_parent_decides() {
        let never = Sampler::kubernetes(0);
        let always = Sampler::kubernetes(1_000_000);
        assert!(never.decide(trace(u64::MAX), Some(true)));
        assert!(!always.decide(trace(0), Some(false)));
    }

    #[test]
    fn a_rate_of_zero_never_starts_and_a_million_always_does() {
        for low in [0, 1, u64::MAX / 2, u64::MAX] {
            assert!(!Sampler::kubernetes(0).decide(trace(low), None));
            assert!(Sampler::kubernetes(1_000_000).decide(trace(low), None));
        }
    }

    #[test]
    fn the_boundary_is_that_of_the_go_sdk() {
        let half = Sampler::kubernetes(500_000);
        assert!(half.decide(trace((1 << 63) - 1), None));
        assert!(!half.decide(trace(1 << 63), None));
    }

    #[test]
    fn every_name_of_the_specification_is_known() {
        for name in [
            "always_on",
            "always_off",
            "traceidratio",
            "parentbased_always_on",
            "parentbased_always_off",
            "parentbased_traceidratio",
        ] {
            assert!(Sampler::named(name, Some(0.5)).is_some(), "{name}");
        }
        assert!(Sampler::named("jaeger_remote", None).is_none());
    }
}
