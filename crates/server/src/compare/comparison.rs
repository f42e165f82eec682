//! The comparison itself.

use std::collections::BTreeSet;

use serde::Serialize;

use super::rank::p_value;
use super::sample::{Sample, quantile};

/// How many steps are told, the largest differences first.
const MAX_STEPS: usize = 200;
/// Above this, a difference may be chance.
const CHANCE: f64 = 0.05;
/// Smaller differences matter to nobody: a tenth, and a millisecond.
const MIN_RATIO: f64 = 0.1;
const MIN_MS: f64 = 1.0;

/// Two sides, and their steps.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    a: Side,
    b: Side,
    steps: Vec<StepComparison>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Side {
    label: String,
    count: u64,
    sampled: usize,
    p50_ms: Option<f64>,
    p95_ms: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StepComparison {
    step: String,
    a: Option<Measured>,
    b: Option<Measured>,
    delta_ms: f64,
    ratio: Option<f64>,
    p_value: Option<f64>,
    verdict: Verdict,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Measured {
    count: usize,
    p50_ms: f64,
    total_ms: f64,
    /// What one journey spends on it.
    #[serde(skip)]
    each_ms: f64,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Slower,
    Faster,
    New,
    Gone,
    Same,
}

/// Compares two sides; differences are from `a` to `b`.
pub(crate) fn compare(a: &Sample, b: &Sample) -> Comparison {
    let names: BTreeSet<&String> = a.steps.keys().chain(b.steps.keys()).collect();
    let mut steps: Vec<StepComparison> = names.into_iter().map(|name| one(name, a, b)).collect();
    steps.sort_by(|one, other| other.delta_ms.abs().total_cmp(&one.delta_ms.abs()));
    steps.truncate(MAX_STEPS);
    Comparison { a: side(a), b: side(b), steps }
}

fn side(sample: &Sample) -> Side {
    Side {
        label: sample.label.clone(),
        count: sample.count,
        sampled: sample.journeys,
        p50_ms: quantile(&sample.durations, 0.5),
        p95_ms: quantile(&sample.durations, 0.95),
    }
}

fn one(name: &str, a: &Sample, b: &Sample) -> StepComparison {
    let (before, after) = (measured(name, a), measured(name, b));
    let each = |measured: &Option<Measured>| measured.as_ref().map_or(0.0, |measured| measured.each_ms);
    let delta = each(&after) - each(&before);
    let ratio = (each(&before) > 0.0).then(|| each(&after) / each(&before));
    let values = |sample: &Sample| sample.steps.get(name).cloned().unwrap_or_default();
    let p_value = p_value(&values(a), &values(b));
    let verdict = verdict(before.as_ref(), after.as_ref(), p_value);
    StepComparison { step: name.to_owned(), a: before, b: after, delta_ms: delta, ratio, p_value, verdict }
}

fn measured(name: &str, sample: &Sample) -> Option<Measured> {
    let values = sample.steps.get(name)?;
    let total: f64 = values.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "a sample is small")]
    let each_ms = total / sample.journeys.max(1) as f64;
    Some(Measured { count: values.len(), p50_ms: quantile(values, 0.5)?, total_ms: total, each_ms })
}

/// With enough of both, chance decides; with single journeys, only the size of the difference can.
fn verdict(before: Option<&Measured>, after: Option<&Measured>, p_value: Option<f64>) -> Verdict {
    let (before, after) = match (before, after) {
        (None, _) => return Verdict::New,
        (_, None) => return Verdict::Gone,
        (Some(before), Some(after)) => (before, after),
    };
    let difference = after.p50_ms - before.p50_ms;
    let matters = difference.abs() >= MIN_MS && difference.abs() >= before.p50_ms * MIN_RATIO;
    if !matters || p_value.is_some_and(|p_value| p_value > CHANCE) {
        return Verdict::Same;
    }
    if difference > 0.0 { Verdict::Slower } else { Verdict::Faster }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(steps: &[(&str, &[f64])]) -> Sample {
        let steps = steps.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect();
        Sample { journeys: 1, count: 1, steps, ..Sample::default() }
    }

    fn verdicts(a: &Sample, b: &Sample) -> Vec<(String, Verdict)> {
        compare(a, b).steps.into_iter().map(|step| (step.step, step.verdict)).collect()
    }

    #[test]
    fn steps_of_one_side_only_are_new_or_gone() {
        let told = verdicts(&sample(&[("pull", &[50.0])]), &sample(&[("mount", &[20.0])]));
        assert_eq!(told, [("pull".to_owned(), Verdict::Gone), ("mount".to_owned(), Verdict::New)]);
    }

    #[test]
    fn one_against_one_is_judged_by_size() {
        let told = verdicts(&sample(&[("a", &[10.0]), ("b", &[10.0])]), &sample(&[("a", &[30.0]), ("b", &[10.5])]));
        assert_eq!(told, [("a".to_owned(), Verdict::Slower), ("b".to_owned(), Verdict::Same)]);
    }

    #[test]
    fn what_may_be_chance_is_the_same() {
        let (one, other) = ([10.0, 90.0, 20.0, 80.0, 50.0], [12.0, 95.0, 70.0, 30.0, 60.0]);
        let told = verdicts(&sample(&[("a", &one)]), &sample(&[("a", &other)]));
        assert_eq!(told[0].1, Verdict::Same);
        let slow = other.map(|value| value + 500.0);
        let told = verdicts(&sample(&[("a", &one)]), &sample(&[("a", &slow)]));
        assert_eq!(told[0].1, Verdict::Slower);
    }
}
