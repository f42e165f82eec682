//! Series of numbers in Tempo's JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::buckets::Steps;

/// What a series is told apart by.
pub(super) type Labels = Vec<(String, Label)>;

/// The value of a label.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Label {
    /// Text.
    Text(String),
    /// A number, such as a quantile.
    Number(f64),
}

impl From<Option<String>> for Label {
    /// Tempo says `nil` where spans lack the field.
    fn from(value: Option<String>) -> Self {
        Self::Text(value.unwrap_or_else(|| "nil".to_owned()))
    }
}

/// One series: a value for each step that has one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// What it is told apart by.
    pub(super) labels: Labels,
    /// The value of each step; none where there was nothing to measure.
    pub(super) values: Vec<Option<f64>>,
}

impl Line {
    /// The series over time.
    pub(super) fn over_time(&self, steps: &Steps) -> Value {
        let samples = self.values.iter().enumerate().filter_map(|(place, value)| {
            Some(json!({"timestampMs": (steps.start(place) / 1_000_000).to_string(), "value": (*value)?}))
        });
        json!({"labels": self.labels_json(), "samples": samples.collect::<Vec<_>>(), "promLabels": self.prometheus()})
    }

    /// The series as one number; none where there was nothing to measure.
    pub(super) fn at_once(&self) -> Option<Value> {
        let value = self.values.first().copied().flatten()?;
        Some(json!({"labels": self.labels_json(), "value": value, "promLabels": self.prometheus()}))
    }

    fn labels_json(&self) -> Vec<Value> {
        let value = |label: &Label| match label {
            Label::Text(text) => json!({"stringValue": text}),
            Label::Number(number) => json!({"doubleValue": number}),
        };
        self.labels.iter().map(|(key, label)| json!({"key": key, "value": value(label)})).collect()
    }

    /// The labels as Prometheus writes them.
    fn prometheus(&self) -> String {
        let mut text = String::from("{");
        for (place, (key, label)) in self.labels.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            // Writing into a string cannot fail.
            let _ = match label {
                Label::Text(label) => write!(text, "{comma}{key}={label:?}"),
                Label::Number(number) => write!(text, "{comma}{key}=\"{number}\""),
            };
        }
        text + "}"
    }
}
