//! A trace as a tree: who hangs below whom.

use std::collections::HashMap;

use clew_model::{Span, SpanId};

/// The spans of one trace with their places in the tree.
#[derive(Debug)]
pub struct TraceView<'a> {
    /// The spans.
    pub spans: &'a [Span],
    /// The parent of each, where it is in the trace.
    parents: Vec<Option<usize>>,
    /// Left and right in a walk around the tree; zero for what hangs on no root.
    nested: Vec<(i64, i64)>,
    /// The places, parents before their children; without what hangs on no root.
    order: Vec<usize>,
    root: Option<usize>,
}

impl<'a> TraceView<'a> {
    /// Looks at the spans of one trace.
    pub fn new(spans: &'a [Span]) -> Self {
        let places: HashMap<SpanId, usize> =
            spans.iter().enumerate().map(|(place, span)| (span.span_id, place)).collect();
        let parent = |span: &Span| span.parent.and_then(|parent| places.get(&parent).copied());
        let parents: Vec<Option<usize>> = spans.iter().map(parent).collect();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); spans.len()];
        for (place, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(place);
            }
        }
        let roots = (0..spans.len()).filter(|place| parents[*place].is_none());
        let mut walk = Walk::new(spans.len());
        for root in roots.clone() {
            walk.around(root, &children);
        }
        // A span whose parent is not in the trace is a root only if there is none without a parent.
        let root = roots.min_by_key(|place| (spans[*place].parent.is_some(), spans[*place].start));
        Self { spans, parents, nested: walk.nested, order: walk.order, root }
    }

    /// The place of the span that the trace began with.
    pub fn root(&self) -> Option<usize> {
        self.root
    }

    /// The place of a span's parent, if it is in the trace.
    pub fn parent(&self, place: usize) -> Option<usize> {
        self.parents[place]
    }

    /// The places of all spans that hang on a root, parents before their children.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Where a span begins and ends in a walk around the tree.
    pub(super) fn nested(&self, place: usize) -> (i64, i64) {
        self.nested[place]
    }

    /// Where the parent begins: -1 for a root, 0 where the parent is not in the trace.
    pub(super) fn nested_parent(&self, place: usize) -> i64 {
        match self.parents[place] {
            Some(parent) => self.nested[parent].0,
            None if self.spans[place].parent.is_none() => -1,
            None => 0,
        }
    }

    /// Nanoseconds since the epoch of the first beginning, and nanoseconds from there to the last end.
    pub fn extent(&self) -> (i64, i64) {
        let start = self.spans.iter().map(|span| span.start).min().unwrap_or_default();
        let end = self.spans.iter().map(|span| span.end.unwrap_or(span.start)).max().unwrap_or_default();
        (start.as_nanos(), end.since(start).max(0))
    }
}

/// A walk around the tree; a circle of parents is never entered, so it ends.
struct Walk {
    nested: Vec<(i64, i64)>,
    order: Vec<usize>,
    clock: i64,
}

impl Walk {
    fn new(spans: usize) -> Self {
        Self { nested: vec![(0, 0); spans], order: Vec::with_capacity(spans), clock: 0 }
    }

    fn around(&mut self, root: usize, children: &[Vec<usize>]) {
        let mut open = vec![(root, 0)];
        while let Some((place, next)) = open.pop() {
            if next == 0 {
                self.clock += 1;
                self.nested[place].0 = self.clock;
                self.order.push(place);
            }
            if let Some(child) = children[place].get(next) {
                open.push((place, next + 1));
                open.push((*child, 0));
                continue;
            }
            self.clock += 1;
            self.nested[place].1 = self.clock;
        }
    }
}
