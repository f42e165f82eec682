//! A trace in a few words: its root, its extent, who took part.

use std::collections::BTreeMap;

use clew_model::{Span, StatusCode};

use crate::traceql::TraceView;

/// A trace in a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The trace's id.
    pub(crate) id: String,
    /// The service of the root; empty if there is no root.
    pub(crate) root_service: String,
    /// The name of the root.
    pub(crate) root_name: String,
    /// Nanoseconds since the epoch of the first beginning.
    pub(crate) start: i64,
    /// Nanoseconds from there to the last end.
    pub(crate) duration: i64,
    /// Spans whose parent is not in the trace.
    pub(crate) orphans: usize,
    /// What each service did.
    pub(crate) services: BTreeMap<String, ServiceCount>,
}

/// What a service did in a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ServiceCount {
    /// How many spans it made.
    pub(crate) spans: usize,
    /// How many of them failed.
    pub(crate) errors: usize,
}

impl Summary {
    /// The summary of the spans of one trace.
    pub(crate) fn of(view: &TraceView<'_>) -> Self {
        let root = view.root().map(|place| &view.spans[place]);
        let (start, duration) = view.extent();
        let mut services: BTreeMap<String, ServiceCount> = BTreeMap::new();
        for span in view.spans {
            let count = services.entry(service_of(span).to_owned()).or_default();
            count.spans += 1;
            count.errors += usize::from(span.status.code == StatusCode::Error);
        }
        let places = 0..view.spans.len();
        let orphans = places.filter(|place| view.spans[*place].parent.is_some() && view.parent(*place).is_none());
        Self {
            id: view.spans.first().map(|span| span.trace_id.to_string()).unwrap_or_default(),
            root_service: root.map(|root| service_of(root).to_owned()).unwrap_or_default(),
            root_name: root.map(|root| root.name.to_string()).unwrap_or_default(),
            start,
            duration,
            orphans: orphans.count(),
            services,
        }
    }

    /// Nanoseconds since the epoch of the last end.
    pub(crate) fn end(&self) -> i64 {
        self.start.saturating_add(self.duration)
    }

    /// How many spans there are.
    pub(crate) fn spans(&self) -> usize {
        self.services.values().map(|count| count.spans).sum()
    }

    /// How many of them failed.
    pub(crate) fn errors(&self) -> usize {
        self.services.values().map(|count| count.errors).sum()
    }
}

/// The service that made a span, by the name that the conventions give to one without a name.
pub(crate) fn service_of(span: &Span) -> &str {
    span.resource.get_str("service.name").unwrap_or("unknown_service")
}
