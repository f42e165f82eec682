//! The four states of tracing in a component, by KEP-2831, and nothing else that decides them.

use crate::config::TracingConfiguration;
use crate::sampler::Sampler;

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
