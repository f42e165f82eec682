//! Which spans decided a journey's duration: the walk that the weaver makes for its critical path, with the spans kept.

use std::collections::{HashMap, HashSet};

use clew_model::{Span, SpanId, Time};

/// How deep the tree of spans is followed.
const MAX_DEPTH: usize = 64;

/// The spans of the critical path of a journey's own spans.
pub(crate) fn critical_spans(spans: &[Span]) -> HashSet<SpanId> {
    let Some(top) = spans.iter().find(|span| span.parent.is_none()) else { return HashSet::new() };
    let mut children: HashMap<SpanId, Vec<&Span>> = HashMap::new();
    for span in spans.iter().filter(|span| span.attributes.get_str("clew.kind") != Some("latency")) {
        if let Some(parent) = span.parent {
            children.entry(parent).or_default().push(span);
        }
    }
    let latest = spans.iter().filter_map(|span| span.end).max().unwrap_or(top.start);
    let mut walk = Walk { children, ends: HashMap::new(), marked: HashSet::new() };
    walk.find_end(top, 0);
    walk.back(top, top.start, top.end.unwrap_or(latest), 0);
    walk.marked
}

struct Walk<'a> {
    children: HashMap<SpanId, Vec<&'a Span>>,
    /// When each span and all below it had ended: what it caused may outlast it.
    ends: HashMap<SpanId, Time>,
    marked: HashSet<SpanId>,
}

impl<'a> Walk<'a> {
    fn find_end(&mut self, span: &'a Span, depth: usize) -> Time {
        let mut end = span.end.unwrap_or(Time::MAX);
        if depth < MAX_DEPTH {
            for child in self.children.get(&span.span_id).cloned().unwrap_or_default() {
                end = end.max(self.find_end(child, depth + 1));
            }
        }
        self.ends.insert(span.span_id, end);
        end
    }

    /// Covers the time from `from` to `to` with what ran in `span`, from the end backwards.
    fn back(&mut self, span: &'a Span, from: Time, to: Time, depth: usize) {
        self.marked.insert(span.span_id);
        let mut cursor = to;
        let mut rest = self.children.get(&span.span_id).cloned().unwrap_or_default();
        while cursor > from && depth < MAX_DEPTH {
            let Some(child) = self.last_ended(&mut rest, cursor, from) else { return };
            let start = child.start.max(from);
            self.back(child, start, self.end(child).min(cursor), depth + 1);
            cursor = start;
        }
    }

    fn end(&self, span: &Span) -> Time {
        self.ends.get(&span.span_id).copied().unwrap_or(Time::MAX)
    }

    /// Takes out the child that ended last before the cursor, or still ran then.
    fn last_ended(&self, children: &mut Vec<&'a Span>, cursor: Time, from: Time) -> Option<&'a Span> {
        let end = |span: &Span| self.end(span).min(cursor);
        let running = children.iter().enumerate().filter(|(_, span)| span.start < cursor && end(span) > from);
        let (at, _) = running.max_by_key(|(_, span)| (end(span), std::cmp::Reverse(span.start), span.span_id))?;
        Some(children.swap_remove(at))
    }
}

#[cfg(test)]
mod tests {
    use clew_model::TraceId;

    use super::*;

    fn id(byte: u8) -> SpanId {
        SpanId::from_bytes([byte; 8])
    }

    fn span(own: u8, parent: Option<u8>, from: i64, to: i64) -> Span {
        let mut span = Span::new(TraceId::from_bytes([1; 16]), id(own), "s", Time::from_nanos(from));
        span.parent = parent.map(id);
        span.end = Some(Time::from_nanos(to));
        span
    }

    #[test]
    fn what_ended_last_is_critical_and_what_ran_beside_it_is_not() {
        let spans =
            [span(1, None, 0, 100), span(2, Some(1), 0, 60), span(3, Some(1), 5, 20), span(4, Some(1), 60, 100)];
        assert_eq!(critical_spans(&spans), HashSet::from([id(1), id(2), id(4)]));
    }

    #[test]
    fn a_child_may_outlast_its_parent() {
        let spans =
            [span(1, None, 0, 100), span(2, Some(1), 0, 10), span(3, Some(2), 10, 90), span(4, Some(1), 20, 80)];
        assert_eq!(critical_spans(&spans), HashSet::from([id(1), id(2), id(3)]));
    }

    #[test]
    fn no_spans_have_no_critical_path() {
        assert!(critical_spans(&[]).is_empty());
    }
}
