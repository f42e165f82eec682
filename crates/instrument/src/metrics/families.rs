//! The metrics by OpenTelemetry's names (semantic conventions for SDK metrics), whatever form they are shown in.

use super::durations::Histogram;
use super::snapshot::Snapshot;

/// One metric.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) help: &'static str,
    pub(crate) kind: FamilyKind,
    pub(crate) points: Vec<Point>,
}

/// What a metric's numbers may do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FamilyKind {
    Counter,
    UpDownCounter,
    Histogram,
}

/// A number and what it is about.
pub(crate) struct Point {
    pub(crate) labels: Labels,
    pub(crate) number: Number,
}

pub(crate) type Labels = Vec<(&'static str, String)>;

pub(crate) enum Number {
    Count(u64),
    Histogram(Histogram),
}

/// Losses before the exporter saw a span; all others are the exporter's.
const PROCESSOR_LOSSES: [&str; 2] = ["queue_full", "already_shutdown"];

impl Snapshot {
    /// All metrics of this moment.
    pub(crate) fn families(&self) -> Vec<Family> {
        let mut families = self.span_families();
        families.extend(self.processor_families());
        families.extend(self.exporter_families());
        families
    }

    fn span_families(&self) -> Vec<Family> {
        let result = |sampled| if sampled { "RECORD_AND_SAMPLE" } else { "DROP" };
        let started = self.by_origin.iter().map(|(origin, sampled, count)| Point {
            labels: vec![
                ("otel.span.parent.origin", origin.as_str().to_owned()),
                ("otel.span.sampling_result", result(*sampled).to_owned()),
            ],
            number: Number::Count(*count),
        });
        let live = vec![("otel.span.sampling_result", result(true).to_owned())];
        vec![
            Family {
                name: "otel.sdk.span.started",
                unit: "{span}",
                help: "The number of created spans.",
                kind: FamilyKind::Counter,
                points: started.collect(),
            },
            Family {
                name: "otel.sdk.span.live",
                unit: "{span}",
                help: "The number of recording spans that have not ended yet.",
                kind: FamilyKind::UpDownCounter,
                points: vec![point(live, self.live)],
            },
        ]
    }

    fn processor_families(&self) -> Vec<Family> {
        let labels = || component("batching_span_processor");
        let ledger = &self.ledger;
        let lost_here: u64 = PROCESSOR_LOSSES.iter().filter_map(|reason| ledger.dropped.get(*reason)).sum();
        let submitted = ledger.ended.saturating_sub(ledger.waiting + lost_here);
        let mut processed = vec![point(labels(), submitted)];
        for (reason, count) in ledger.dropped.iter().filter(|(reason, _)| is_processor_loss(reason)) {
            processed.push(failed(labels(), reason, *count));
        }
        let gauge = |name, help, value| Family {
            name,
            unit: "{span}",
            help,
            kind: FamilyKind::UpDownCounter,
            points: vec![point(labels(), value)],
        };
        vec![
            gauge("otel.sdk.processor.span.queue.size", "The number of spans in the queue.", ledger.waiting),
            gauge("otel.sdk.processor.span.queue.capacity", "The most spans that the queue can hold.", self.capacity),
            Family {
                name: "otel.sdk.processor.span.processed",
                unit: "{span}",
                help: "The number of spans for which the processing has finished, either successful or failed.",
                kind: FamilyKind::Counter,
                points: processed,
            },
        ]
    }

    fn exporter_families(&self) -> Vec<Family> {
        let labels = || self.exporter_labels();
        let ledger = &self.ledger;
        let mut exported = vec![point(labels(), ledger.exported)];
        for (reason, count) in ledger.dropped.iter().filter(|(reason, _)| !is_processor_loss(reason)) {
            exported.push(failed(labels(), reason, *count));
        }
        let durations = self.durations.iter().map(|(failure, histogram)| {
            let mut labels = labels();
            if let Some(failure) = failure {
                labels.push(("error.type", failure.to_string()));
            }
            Point { labels, number: Number::Histogram(histogram.clone()) }
        });
        let family = |name, unit, help, kind, points| Family { name, unit, help, kind, points };
        let (counter, gauge) = (FamilyKind::Counter, FamilyKind::UpDownCounter);
        vec![
            family(
                "otel.sdk.exporter.span.inflight",
                "{span}",
                "The number of spans that were passed to the exporter and are neither exported nor failed yet.",
                gauge,
                vec![point(labels(), ledger.in_flight)],
            ),
            family(
                "otel.sdk.exporter.span.exported",
                "{span}",
                "The number of spans for which the export has finished, either successful or failed.",
                counter,
                exported,
            ),
            family(
                "otel.sdk.exporter.operation.duration",
                "s",
                "The duration of exporting a batch of spans.",
                FamilyKind::Histogram,
                durations.collect(),
            ),
            family(
                "clew.instrument.span.spooled",
                "{span}",
                "The number of spans that wait on disk.",
                gauge,
                vec![point(labels(), ledger.spooled)],
            ),
            family(
                "clew.instrument.span.recovered",
                "{span}",
                "The number of spans that an earlier run left on disk.",
                counter,
                vec![point(labels(), ledger.recovered)],
            ),
            family(
                "clew.instrument.export.retries",
                "{retry}",
                "How often an export failed and was tried again.",
                counter,
                vec![point(labels(), ledger.retries)],
            ),
        ]
    }

    fn exporter_labels(&self) -> Labels {
        let mut labels = component(&self.target.component);
        if let Some(address) = &self.target.address {
            labels.push(("server.address", address.clone()));
        }
        if let Some(port) = self.target.port {
            labels.push(("server.port", port.to_string()));
        }
        labels
    }
}

fn component(kind: &str) -> Labels {
    vec![("otel.component.name", format!("{kind}/0")), ("otel.component.type", kind.to_owned())]
}

fn point(labels: Labels, count: u64) -> Point {
    Point { labels, number: Number::Count(count) }
}

fn failed(mut labels: Labels, reason: &str, count: u64) -> Point {
    labels.push(("error.type", reason.to_string()));
    point(labels, count)
}

fn is_processor_loss(reason: &str) -> bool {
    PROCESSOR_LOSSES.contains(&reason)
}
