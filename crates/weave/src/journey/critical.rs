//! The critical path: the chain of waits that decided a journey's duration, found from its end backwards.
//!
//! A write waited for what caused it. If that was long before, it waited for the pod's phase that ended last before it;
//! a pod's phases lead back to the write that made or deleted the pod. What merely follows, an `EndpointSlice` that is
//! written for every pod, is so never taken for what the others waited for.

use clew_model::{Span, SpanId, Time, ids};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Builder;
use super::standing::Standing;
use super::waterfall::Waterfall;
use crate::object::ObjectId;
use crate::output::CriticalPart;
use crate::step::{Cause, Step, StepId};

/// The attribute of a span that is on the path.
const CRITICAL: &str = "clew.critical";
/// A controller that reacts within this just reacts; one that takes longer waits for something.
const REACTION: i64 = 50_000_000;
/// Shares below this are told together.
const MIN_SHARE: i64 = 500_000;

/// The spans of a journey's critical path, among the spans that clew made of it.
pub fn critical_spans(spans: &[Span]) -> FxHashSet<SpanId> {
    spans.iter().filter(|span| span.attributes.get(CRITICAL).is_some()).map(|span| span.span_id).collect()
}

impl Builder<'_> {
    /// The parts of the path, in the order of time; their shares add up to the journey's duration. Marks its spans.
    pub(super) fn critical_path(&self, waterfall: &mut Waterfall, standing: &Standing) -> Vec<CriticalPart> {
        let mut walk = Walk::new(self, waterfall, standing.end);
        let mut at = walk.last();
        while let Some(place) = at {
            at = walk.back(place);
        }
        let start = self.memory.step(self.root).time;
        walk.wait("waiting", start);
        let Walk { mut parts, marked, .. } = walk;
        mark(&mut waterfall.spans, marked);
        parts.reverse();
        merge(parts)
    }
}

/// Where the walk is: in a phase of a pod, or at a write.
#[derive(Clone, Copy)]
enum Place {
    Phase(usize),
    Step(StepId),
}

/// A phase of a pod.
struct Phase {
    span: SpanId,
    object: ObjectId,
    name: String,
    start: Time,
    end: Time,
}

struct Walk<'a> {
    builder: &'a Builder<'a>,
    phases: Vec<Phase>,
    /// What is not explained yet ends here.
    cursor: Time,
    /// What a wait before the cursor is called.
    reaction: String,
    /// Places that it went through.
    passed: FxHashSet<StepId>,
    /// The parts, the last first.
    parts: Vec<(String, i64)>,
    /// The spans that it went through.
    marked: FxHashSet<SpanId>,
}

impl<'a> Walk<'a> {
    fn new(builder: &'a Builder<'a>, waterfall: &Waterfall, end: Time) -> Self {
        let objects: FxHashMap<SpanId, ObjectId> =
            waterfall.of_object.iter().map(|(object, span)| (*span, *object)).collect();
        let phases = waterfall.spans.iter().filter(|span| span.attributes.get_str("clew.kind") == Some("phase"));
        let phases = phases.filter_map(|span| {
            let object = *objects.get(&span.parent?)?;
            let name = format!("{}: {}", span.name, builder.label(object));
            let last = span.end.unwrap_or(end).min(end);
            (span.start < last).then_some(Phase { span: span.span_id, object, name, start: span.start, end: last })
        });
        Self {
            builder,
            phases: phases.collect(),
            cursor: end,
            reaction: "waiting".to_owned(),
            passed: FxHashSet::default(),
            parts: Vec::new(),
            marked: FxHashSet::default(),
        }
    }

    fn step(&self, id: StepId) -> &'a Step {
        self.builder.memory.step(id)
    }

    /// What ended last.
    fn last(&self) -> Option<Place> {
        let done = |id: &StepId| self.step(*id).done;
        let steps = self.builder.steps.iter().copied().filter(|id| done(id) <= self.cursor);
        let step = steps.max_by_key(done);
        match (self.phase_before(Time::MIN), step) {
            (Some(phase), Some(step)) if done(&step) > self.phases[phase].end => Some(Place::Step(step)),
            (Some(phase), _) => Some(Place::Phase(phase)),
            (None, step) => step.map(Place::Step),
        }
    }

    /// Explains the time before the cursor by this place; gives the place before it.
    fn back(&mut self, place: Place) -> Option<Place> {
        match place {
            Place::Phase(phase) => self.through_phase(phase),
            Place::Step(step) => self.through_step(step),
        }
    }

    fn through_phase(&mut self, at: usize) -> Option<Place> {
        let Phase { span, object, end, start, .. } = self.phases[at];
        let reaction = std::mem::take(&mut self.reaction);
        self.wait(&reaction, end);
        let name = self.phases[at].name.clone();
        self.wait(&name, start);
        self.marked.insert(span);
        let earlier = self.phases.iter().enumerate().filter(|(_, phase)| phase.object == object && phase.end == start);
        if let Some((earlier, _)) = earlier.max_by_key(|(_, phase)| phase.start) {
            return Some(Place::Phase(earlier));
        }
        let changes = self.builder.steps.iter().copied().filter(|id| {
            let step = self.step(*id);
            step.object == object && step.is_change() && step.time <= start
        });
        changes.max_by_key(|id| self.step(*id).time).map(Place::Step)
    }

    fn through_step(&mut self, id: StepId) -> Option<Place> {
        if !self.passed.insert(id) {
            return None;
        }
        let step = self.step(id);
        let reaction = std::mem::replace(&mut self.reaction, self.builder.reaction_name(step));
        self.wait(&reaction, step.done);
        self.wait(&self.builder.request_name(step), step.time);
        self.marked.extend(step.audit.as_ref().map(|audit| ids::write_span(&audit.to_string())));
        let Cause::Step(cause, _) = step.cause else { return None };
        let since = self.step(cause).done;
        let waited = (self.cursor.since(since) > REACTION).then(|| self.phase_before(since)).flatten();
        Some(waited.map_or(Place::Step(cause), Place::Phase))
    }

    /// The phase that ended last before the cursor, but after this.
    fn phase_before(&self, since: Time) -> Option<usize> {
        let ended = self.phases.iter().enumerate();
        let ended =
            ended.filter(|(_, phase)| phase.end <= self.cursor && phase.end > since && phase.start < self.cursor);
        ended.max_by_key(|(_, phase)| (phase.end, std::cmp::Reverse(phase.start))).map(|(at, _)| at)
    }

    /// Gives the time from `from` to the cursor this name.
    fn wait(&mut self, name: &str, from: Time) {
        let share = self.cursor.since(from);
        if share > 0 {
            self.parts.push((name.to_owned(), share));
            self.cursor = from;
        }
    }
}

/// Marks spans and all above them, so that the path is seen wherever it runs.
fn mark(spans: &mut [Span], mut marked: FxHashSet<SpanId>) {
    let parents: FxHashMap<SpanId, SpanId> =
        spans.iter().filter_map(|span| Some((span.span_id, span.parent?))).collect();
    let mut rest: Vec<SpanId> = marked.iter().copied().collect();
    while let Some(parent) = rest.pop().and_then(|id| parents.get(&id).copied()) {
        if marked.insert(parent) {
            rest.push(parent);
        }
    }
    for span in spans.iter_mut().filter(|span| marked.contains(&span.span_id)) {
        span.attributes.push(CRITICAL, true);
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
    use super::*;

    #[test]
    fn neighbours_of_one_name_are_one_part_and_no_time_is_lost() {
        let part = |name: &str, share| (name.to_owned(), share);
        let told = merge(vec![part("a", 2_000_000), part("b", 100), part("a", 1_000_000), part("c", 700_000)]);
        let told: Vec<_> = told.iter().map(|part| (part.name.as_str(), part.ms)).collect();
        assert_eq!(told, [("a", 3.0001), ("c", 0.7)]);
    }

    #[test]
    fn a_journey_too_short_to_tell_apart_is_a_request() {
        let told = merge(vec![("a".to_owned(), 10), ("b".to_owned(), 20)]);
        assert_eq!((told.len(), told[0].name.as_str()), (1, "request"));
    }
}
