//! What the weaver needs of the spans of a request, and nothing else.

use clew_model::{Time, TraceId};
use clew_weave::fact::{NativeSpans, Uid};
use compact_str::CompactString;

use super::span::SpanReader;
use super::value::Any;

/// The attribute of a resource that says where it is.
const CLUSTER: &str = "k8s.cluster.name";

/// Spans of a request that belong to one cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Native {
    /// The cluster that their resource names.
    pub cluster: Option<CompactString>,
    /// The spans: those of a trace that follow each other are one, unless different things place them.
    pub spans: Vec<NativeSpans>,
}

/// Begins with the spans of a resource that was read, unless they belong to the same cluster as those before.
pub(super) fn enter(native: &mut Vec<Native>, resource: &SpanReader<'_>) {
    let cluster = resource.attributes.iter().find_map(|(key, any)| match any {
        Any::Str(text) if *key == CLUSTER && !text.is_empty() => Some(*text),
        _ => None,
    });
    if native.last().is_none_or(|last| last.cluster.as_deref() != cluster) {
        native.push(Native { cluster: cluster.map(CompactString::from), spans: Vec::new() });
    }
}

impl Native {
    /// Adds a span that was read.
    pub(super) fn see(&mut self, span: &SpanReader<'_>) {
        let places = Places::of(span);
        let (trace, start) = (TraceId::from_bytes(span.row.trace_id), Time::from_nanos(span.row.start));
        let last = self.spans.last_mut().filter(|last| last.trace == trace && places.may_join(last));
        if let Some(last) = last {
            last.spans += 1;
            last.start = last.start.min(start);
            last.links.extend_from_slice(&span.linked);
            if places.any() {
                places.give(last);
            }
            return;
        }
        let links = span.linked.as_slice().into();
        let mut new =
            NativeSpans { trace, spans: 1, start, audit: None, pod: None, runtime: None, review: None, links };
        places.give(&mut new);
        self.spans.push(new);
    }
}

/// A text with the rank of the key that it was found under.
type Found<'a> = Option<(usize, &'a str)>;

/// What places a span.
#[derive(Default)]
struct Places<'a> {
    audit: Found<'a>,
    pod: Found<'a>,
    runtime: Found<'a>,
    review: Found<'a>,
}

impl<'a> Places<'a> {
    fn of(span: &SpanReader<'a>) -> Self {
        let mut places = Self::default();
        for (key, any) in &span.attributes {
            if let Any::Str(text) = any {
                places.see(key, text);
            }
        }
        places
    }

    fn see(&mut self, key: &str, text: &'a str) {
        // The attributes that place a span, and which is the stronger where several do.
        let (rank, found) = match key {
            "audit-id" => (0, &mut self.audit),
            "audit.id" => (1, &mut self.audit),
            "k8s.pod.uid" => (0, &mut self.pod),
            "container.id" => (0, &mut self.runtime),
            "sandbox.id" => (1, &mut self.runtime),
            "pod.sandbox.id" => (2, &mut self.runtime),
            "k8s.admission.review.uid" => (0, &mut self.review),
            _ => return,
        };
        if !text.is_empty() && found.is_none_or(|(old, _)| rank < old) {
            *found = Some((rank, text));
        }
    }

    fn any(&self) -> bool {
        self.audit.is_some() || self.pod.is_some() || self.runtime.is_some() || self.review.is_some()
    }

    /// Whether nothing is lost if the span is told together with others: at most one of them is placed by anything, for
    /// what one span says of a pod and of a container belongs together, and what two say does not.
    fn may_join(&self, spans: &NativeSpans) -> bool {
        !self.any()
            || (spans.audit.is_none() && spans.pod.is_none() && spans.runtime.is_none() && spans.review.is_none())
    }

    fn give(&self, spans: &mut NativeSpans) {
        let uid = |found: Found<'_>| found.map(|(_, text)| Uid::new(text));
        spans.audit = uid(self.audit);
        spans.pod = uid(self.pod);
        spans.runtime = self.runtime.map(|(_, text)| CompactString::from(text));
        spans.review = uid(self.review);
    }
}
