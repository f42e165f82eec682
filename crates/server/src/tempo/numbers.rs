//! Numbers of spans that a store has no question for, worked out from the spans themselves.

use std::collections::BTreeMap;

use clew_model::{Span, Value};

use super::buckets::Steps;
use super::series::{Label, Labels, Line};
use crate::traceql::{FieldName, Intrinsic, Metrics, MetricsFunction, TraceView, resolve};

/// The series of a function over spans.
pub(super) fn series(spans: &[Span], metrics: &Metrics, steps: &Steps) -> Vec<Line> {
    let view = TraceView::new(spans);
    let mut groups: BTreeMap<Vec<Option<String>>, Vec<Vec<f64>>> = BTreeMap::new();
    for (place, span) in spans.iter().enumerate() {
        let value = metrics.of.as_ref().and_then(|field| number(&view, place, field));
        let (Some(value), Some(step)) = (value, steps.place(span.start)) else { continue };
        let key = metrics.by.iter().map(|field| resolve(&view, place, field).map(|value| text(&value))).collect();
        groups.entry(key).or_insert_with(|| vec![Vec::new(); steps.count])[step].push(value);
    }
    let mut lines = Vec::new();
    for (key, mut values) in groups {
        for values in &mut values {
            values.sort_by(f64::total_cmp);
        }
        let labels: Labels =
            metrics.by.iter().zip(key).map(|(field, value)| (field.to_string(), value.into())).collect();
        lines.extend(functions(metrics, &values).into_iter().map(|(label, values)| {
            let labels = labels.iter().cloned().chain(label).collect();
            Line { labels, values }
        }));
    }
    lines
}

/// The values of a series, and the label that tells it from others of its group.
type Labelled = (Option<(String, Label)>, Vec<Option<f64>>);

/// The values of each series of one group, and by which label they are told apart.
fn functions(metrics: &Metrics, values: &[Vec<f64>]) -> Vec<Labelled> {
    let each = |of: &dyn Fn(&[f64]) -> f64| {
        let some = |values: &Vec<f64>| (!values.is_empty()).then(|| of(values));
        values.iter().map(some).collect::<Vec<_>>()
    };
    match metrics.function {
        MetricsFunction::QuantileOverTime => {
            let series = metrics.quantiles.iter().map(|quantile| {
                let label = Some(("p".to_owned(), Label::Number(*quantile)));
                (label, each(&|values| at_quantile(values, *quantile)))
            });
            series.collect()
        }
        MetricsFunction::HistogramOverTime => histogram(values),
        MetricsFunction::MinOverTime => vec![(None, each(&|values| values[0]))],
        MetricsFunction::MaxOverTime => vec![(None, each(&|values| values[values.len() - 1]))],
        MetricsFunction::SumOverTime => vec![(None, each(&|values| values.iter().sum()))],
        MetricsFunction::AvgOverTime => vec![(None, each(&|values| values.iter().sum::<f64>() / count(values)))],
        MetricsFunction::Rate | MetricsFunction::CountOverTime => vec![(None, each(&|values| count(values)))],
    }
}

/// How many in each power of two, which is told as its upper end.
fn histogram(values: &[Vec<f64>]) -> Vec<Labelled> {
    let mut bounds: BTreeMap<i64, Vec<Option<f64>>> = BTreeMap::new();
    for (step, values) in values.iter().enumerate() {
        for value in values.iter().filter(|value| **value > 0.0) {
            #[allow(clippy::cast_possible_truncation, reason = "the logarithm of a float is small")]
            let power = value.log2().ceil() as i64;
            let counts = bounds.entry(power).or_insert_with(|| vec![None; step + 1]);
            counts.resize(counts.len().max(step + 1), None);
            *counts[step].get_or_insert(0.0) += 1.0;
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "the power is small")]
    let label = |power: i64| Some(("__bucket".to_owned(), Label::Number((power as f64).exp2())));
    bounds.into_iter().map(|(power, counts)| (label(power), counts)).collect()
}

/// The least value that so large a part does not exceed.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a quantile is from 0 to 1")]
fn at_quantile(sorted: &[f64], quantile: f64) -> f64 {
    let rank = (quantile * count(sorted)).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

#[allow(clippy::cast_precision_loss, reason = "a count of spans")]
fn count(values: &[f64]) -> f64 {
    values.len() as f64
}

/// The number that a span has in a field; durations are told in seconds.
#[allow(clippy::cast_precision_loss, reason = "a number of an answer")]
fn number(view: &TraceView<'_>, place: usize, field: &FieldName) -> Option<f64> {
    let scale = if *field == FieldName::Intrinsic(Intrinsic::Duration) { 1e9 } else { 1.0 };
    match &*resolve(view, place, field)? {
        Value::Int(number) => Some(*number as f64 / scale),
        Value::Double(number) => Some(*number),
        _ => None,
    }
}

/// A value as a label has it.
fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "whole numbers are exact")]
    fn quantiles_are_values_that_were_measured() {
        let sorted: Vec<f64> = (1..=100).map(f64::from).collect();
        let told = [0.0, 0.5, 0.75, 0.99, 1.0].map(|quantile| at_quantile(&sorted, quantile));
        assert_eq!(told, [1.0, 50.0, 75.0, 99.0, 100.0]);
        assert_eq!(at_quantile(&[7.0], 0.3), 7.0);
    }

    #[test]
    fn a_histogram_counts_by_powers_of_two() {
        let lines = histogram(&[vec![0.25, 0.3], vec![], vec![0.5, 3.0]]);
        let told: Vec<_> = lines.iter().map(|(label, counts)| (label.clone().unwrap().1, counts.clone())).collect();
        assert_eq!(
            told,
            [
                (Label::Number(0.25), vec![Some(1.0)]),
                (Label::Number(0.5), vec![Some(1.0), None, Some(1.0)]),
                (Label::Number(4.0), vec![None, None, Some(1.0)]),
            ]
        );
    }
}
