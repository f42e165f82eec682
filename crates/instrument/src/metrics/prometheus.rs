//! The metrics in Prometheus' text form, by OpenTelemetry's rules for names.

use super::durations::{BOUNDS, Histogram};
use super::families::{Family, FamilyKind, Labels, Number};
use super::snapshot::Snapshot;
use std::fmt::Write as _;

impl Snapshot {
    /// The metrics as a Prometheus scrape answers them.
    pub fn to_prometheus(&self) -> String {
        let mut text = String::new();
        for family in self.families() {
            push_family(&mut text, &family);
        }
        text
    }
}

fn push_family(text: &mut String, family: &Family) {
    let name = name(family);
    let kind = match family.kind {
        FamilyKind::Counter => "counter",
        FamilyKind::UpDownCounter => "gauge",
        FamilyKind::Histogram => "histogram",
    };
    let _ = writeln!(text, "# HELP {name} {}\n# TYPE {name} {kind}", family.help);
    for point in &family.points {
        match &point.number {
            Number::Count(count) => {
                let _ = writeln!(text, "{name}{} {count}", labels(&point.labels, None));
            }
            Number::Histogram(histogram) => push_histogram(text, &name, &point.labels, histogram),
        }
    }
}

fn push_histogram(text: &mut String, name: &str, own: &Labels, histogram: &Histogram) {
    let mut below = 0;
    for (index, count) in histogram.buckets.iter().enumerate() {
        below += count;
        let bound = BOUNDS.get(index).map_or_else(|| "+Inf".to_owned(), f64::to_string);
        let _ = writeln!(text, "{name}_bucket{} {below}", labels(own, Some(&bound)));
    }
    let own = labels(own, None);
    let _ = writeln!(text, "{name}_sum{own} {}\n{name}_count{own} {}", histogram.sum, histogram.count);
}

fn name(family: &Family) -> String {
    let base = family.name.replace('.', "_");
    match (family.kind, family.unit) {
        (FamilyKind::Counter, _) => format!("{base}_total"),
        (_, "s") => format!("{base}_seconds"),
        _ => base,
    }
}

fn labels(labels: &Labels, bound: Option<&str>) -> String {
    let own = labels.iter().map(|(key, value)| (key.replace('.', "_"), value.as_str()));
    let bound = bound.map(|bound| ("le".to_owned(), bound));
    let pairs: Vec<String> = own.chain(bound).map(|(key, value)| format!("{key}=\"{}\"", escape(value))).collect();
    if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) }
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
