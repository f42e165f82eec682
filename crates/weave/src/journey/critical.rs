//! The critical path: the chain of spans that decided a journey's duration, found from its end backwards.

use clew_model::{Span, SpanId, Time};
use rustc_hash::FxHashMap;

use crate::output::CriticalPart;

/// How deep the tree of spans is followed.
const MAX_DEPTH: usize = 64;
/// Shares below this are told together.
const MIN_SHARE: i64 = 500_000;

/// The parts of the path, in the order of time; their shares add up to the journey's duration.
pub(super) fn path(spans: &[Span], root: SpanId) -> Vec<CriticalPart> {
    let mut children: FxHashMap<SpanId, Vec<&Span>> = FxHashMap::default();
    for span in spans {
        if let Some(parent) = span.parent {
            children.entry(parent).or_default().push(span);
        }
    }
    let Some(top) = spans.iter().find(|span| span.span_id == root) else { return Vec::new() };
    let latest = spans.iter().filter_map(|span| span.end).max().unwrap_or(top.start);
    let mut walk = Walk { children, ends: FxHashMap::default(), parts: Vec::new() };
    walk.find_end(top, 0);
    walk.back(top, top.start, top.end.unwrap_or(latest), 0);
    walk.parts.reverse();
    merge(walk.parts)
}

struct Walk<'a> {
    children: FxHashMap<SpanId, Vec<&'a Span>>,
    /// When each span and all below it had ended: what it caused may outlast it.
    ends: FxHashMap<SpanId, Time>,
    /// The parts, the last first.
    parts: Vec<(String, i64)>,
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
