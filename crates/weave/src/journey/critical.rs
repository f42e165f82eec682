//! The critical path: the chain of spans that decided a journey's duration, found from its end backwards.

use clew_model::{Span, SpanId, Time};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::output::CriticalPart;

/// How deep the tree of spans is followed.
const MAX_DEPTH: usize = 64;
/// Shares below this are told together.
const MIN_SHARE: i64 = 500_000;

/// The parts of the path, in the order of time; their shares add up to the journey's duration.
pub(super) fn path(spans: &[Span], root: SpanId) -> Vec<CriticalPart> {
    let Some(top) = spans.iter().find(|span| span.span_id == root) else { return Vec::new() };
    let mut parts = Walk::through(spans, top).parts;
    parts.reverse();
    merge(parts)
}

/// The spans of a journey's critical path, among the spans that clew made of it.
pub fn critical_spans(spans: &[Span]) -> FxHashSet<SpanId> {
    let top = spans.iter().find(|span| span.parent.is_none());
    top.map(|top| Walk::through(spans, top).marked).unwrap_or_default()
}

struct Walk<'a> {
    children: FxHashMap<SpanId, Vec<&'a Span>>,
    /// When each span and all below it had ended: what it caused may outlast it.
    ends: FxHashMap<SpanId, Time>,
    /// The parts, the last first.
    parts: Vec<(String, i64)>,
    /// The spans that it went through.
    marked: FxHashSet<SpanId>,
}

impl<'a> Walk<'a> {
    /// Walks from the end of the topmost span to its beginning.
    fn through(spans: &'a [Span], top: &'a Span) -> Self {
        let mut walk = Self {
            children: FxHashMap::default(),
            ends: FxHashMap::default(),
            parts: Vec::new(),
            marked: FxHashSet::default(),
        };
        for span in spans {
            if let Some(parent) = span.parent {
                walk.children.entry(parent).or_default().push(span);
            }
        }
        let latest = spans.iter().filter_map(|span| span.end).max().unwrap_or(top.start);
        walk.find_end(top, 0);
        walk.back(top, top.start, top.end.unwrap_or(latest), 0);
        walk
    }

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
        rest.retain(|child| child.attributes.get_str("clew.kind") != Some("latency"));
        while cursor > from && depth < MAX_DEPTH {
            let Some(child) = self.last_ended(&mut rest, cursor, from) else { break };
            let end = self.end(child).min(cursor);
            self.own(span, end, cursor);
            let start = child.start.max(from);
            self.back(child, start, end, depth + 1);
            cursor = start;
        }
        self.own(span, from, cursor);
    }

    fn end(&self, span: &Span) -> Time {
        self.ends.get(&span.span_id).copied().unwrap_or(Time::MAX)
    }

    /// Takes out the child that ended last before the cursor, or still ran then.
    fn last_ended(&self, children: &mut Vec<&'a Span>, cursor: Time, from: Time) -> Option<&'a Span> {
        let end = |span: &Span| self.end(span).min(cursor);
        let fits = |span: &Span| span.start < cursor && end(span) > from;
        let running = children.iter().enumerate().filter(|(_, span)| fits(span));
        let (at, _) = running.max_by_key(|(_, span)| (end(span), std::cmp::Reverse(span.start), span.span_id))?;
        Some(children.swap_remove(at))
    }

    fn own(&mut self, span: &Span, from: Time, to: Time) {
        let share = to.since(from);
        if share > 0 {
            self.parts.push((name(span), share));
        }
    }
}

/// What a span's own time is called.
fn name(span: &Span) -> String {
    match span.attributes.get_str("clew.kind") {
        Some("object") => format!("{} converges", span.name),
        Some("phase") => match span.attributes.get_str("clew.of") {
            Some(of) => format!("{}: {of}", span.name),
            None => span.name.to_string(),
        },
        Some("journey") => "waiting".to_owned(),
        _ => span.name.to_string(),
    }
}

/// Joins neighbours of one name, and what is too short to tell with what comes after it.
fn merge(parts: Vec<(String, i64)>) -> Vec<CriticalPart> {
    let mut merged: Vec<(String, i64)> = Vec::new();
    let mut carried = 0;
    for (name, share) in parts {
        match merged.last_mut() {
            Some(last) if last.0 == name => last.1 += share + std::mem::take(&mut carried),
            _ if share < MIN_SHARE => carried += share,
            _ => merged.push((name, share + std::mem::take(&mut carried))),
        }
    }
    if let Some(last) = merged.last_mut() {
        last.1 += carried;
    } else if carried > 0 {
        merged.push(("request".to_owned(), carried));
    }
    #[expect(clippy::cast_precision_loss, reason = "a journey lasts hours at most")]
    let ms = |nanos: i64| nanos as f64 / 1e6;
    merged.into_iter().map(|(name, share)| CriticalPart { name: name.into(), ms: ms(share) }).collect()
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
        assert_eq!(critical_spans(&spans), FxHashSet::from_iter([id(1), id(2), id(4)]));
    }

    #[test]
    fn a_child_may_outlast_its_parent() {
        let spans =
            [span(1, None, 0, 100), span(2, Some(1), 0, 10), span(3, Some(2), 10, 90), span(4, Some(1), 20, 80)];
        assert_eq!(critical_spans(&spans), FxHashSet::from_iter([id(1), id(2), id(3)]));
    }

    #[test]
    fn no_spans_have_no_critical_path() {
        assert!(critical_spans(&[]).is_empty());
    }
}
