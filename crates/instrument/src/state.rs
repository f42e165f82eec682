//! The four states of tracing in a component, by KEP-2831, and nothing else that decides them.

use crate::config::TracingConfiguration;
use crate::sampler::Sampler;
use std::fmt;

/// What a component does about tracing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    /// The gate is off: no spans, no connection, no propagation.
    Off,
    /// The gate is on and nothing is configured: no spans, no connection, an incoming context passes through.
    PassThrough,
    /// Configured: a connection, and spans as the sampler says. A rate of 0 samples only what has a sampled parent.
    On(Sampler),
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::PassThrough => f.write_str("on, without a collector: contexts pass through"),
            Self::On(sampler) => write!(f, "on, {sampler}"),
        }
    }
}

impl State {
    /// The state that the gate and the configuration ask for.
    ///
    /// ```
    /// use clew_instrument::State;
    /// assert_eq!(State::decide(false, None), State::Off);
    /// assert_eq!(State::decide(true, None), State::PassThrough);
    /// ```
    pub fn decide(gate: bool, configuration: Option<&TracingConfiguration>) -> Self {
        if !gate {
            return Self::Off;
        }
        let Some(configuration) = configuration else { return Self::PassThrough };
        let rate = configuration.sampling_rate_per_million.unwrap_or(0);
        Self::On(Sampler::kubernetes(rate))
    }

    /// Whether contexts are taken in and handed on.
    pub fn propagates(&self) -> bool {
        !matches!(self, Self::Off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(gate: bool, rate: Option<i32>) -> String {
        let configuration =
            rate.map(|rate| TracingConfiguration { sampling_rate_per_million: Some(rate), ..Default::default() });
        State::decide(gate, configuration.as_ref()).to_string()
    }

    #[test]
    fn states_are_told_in_words() {
        assert_eq!(shown(false, Some(5)), "off");
        assert_eq!(shown(true, None), "on, without a collector: contexts pass through");
        assert_eq!(shown(true, Some(0)), "on, recording what has a sampled parent and 0 of a million others");
        assert_eq!(shown(true, Some(2500)), "on, recording what has a sampled parent and 2500 of a million others");
    }
}
