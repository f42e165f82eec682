//! What is known of one side of a comparison.

use std::collections::BTreeMap;

use clew_model::Span;

use super::steps::step;
use crate::clock::millis;

/// The durations of one side, in milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    /// What it is called.
    pub(crate) label: String,
    /// How many journeys it has; not all may have been looked into.
    pub(crate) count: u64,
    /// The durations of its journeys that have converged.
    pub(crate) durations: Vec<f64>,
    /// How many journeys were looked into.
    pub(crate) journeys: usize,
    /// The durations of each step, all occurrences.
    pub(crate) steps: BTreeMap<String, Vec<f64>>,
}

impl Sample {
    /// Adds the steps of one journey.
    pub(crate) fn add(&mut self, spans: &[Span]) {
        self.journeys += 1;
        for span in spans {
            if let (Some(step), Some(duration)) = (step(span), span.duration()) {
                self.steps.entry(step).or_default().push(millis(duration));
            }
        }
    }
}

/// A quantile of values in any order; none of none.
pub(super) fn quantile(values: &[f64], part: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index"
    )]
    let place = (sorted.len().saturating_sub(1) as f64 * part).round() as usize;
    sorted.get(place).copied()
}
