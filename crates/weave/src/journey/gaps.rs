//! Gaps: time in which nothing was seen to happen, named by what it waited for.

use clew_model::{Time, ids};
use rustc_hash::FxHashMap;

use crate::object::ObjectId;
use crate::step::{Cause, Step};

use super::waterfall::Waterfall;
use super::{Builder, Part};

/// Shorter waits are noise.
const MIN_GAP: i64 = 1_000_000;

/// Writes that were refused, by the object that they were for: between them its controller backs off.
pub(super) type Refusals<'a> = FxHashMap<ObjectId, Vec<&'a Step>>;

impl Builder<'_> {
    pub(super) fn gaps(&self, part: &Part, refused: &Refusals<'_>, waterfall: &mut Waterfall) {
        let parent = waterfall.of_object[&part.object];
        let first = self.memory.step(part.first);
        if let Cause::Step(cause, _) = first.cause {
            let from = self.memory.step(cause).done;
            // The wait lies before the object's own span, so it hangs where the object hangs.
            let above = waterfall.spans.iter().rev().find(|span| span.span_id == parent).and_then(|span| span.parent);
            self.gap(
                &self.reaction_name(first),
                (from, first.time),
                above.unwrap_or(waterfall.root),
                parent,
                waterfall,
            );
        }
        for pair in refused.get(&part.object).into_iter().flat_map(|refused| refused.windows(2)) {
            self.gap("back-off", (pair[0].done, pair[1].time), parent, parent, waterfall);
        }
    }

    /// The refused writes of the journey.
    pub(super) fn refusals(&self) -> Refusals<'_> {
        let mut refused = Refusals::default();
        for step in self.steps.iter().map(|id| self.memory.step(*id)).filter(|step| step.refused().is_some()) {
            if let Some(owner) = step.extra().and_then(|extra| extra.owner) {
                refused.entry(owner).or_default().push(step);
            }
        }
        refused
    }

    /// Who took how long to notice: the informer's lag and the controller's queue.
    pub(super) fn reaction_name(&self, step: &Step) -> String {
        let Some(actor) = step.actor else { return "reaction".to_owned() };
        let actor = self.memory.actors.get(actor);
        let (user, agent) = (self.memory.symbols.text(actor.user), self.memory.symbols.text(actor.agent));
        let name = if user.is_empty() { agent } else { user.rsplit(':').next().unwrap_or(user) };
        format!("{name} notices")
    }

    fn gap(
        &self,
        name: &str,
        (from, to): (Time, Time),
        parent: clew_model::SpanId,
        key: clew_model::SpanId,
        waterfall: &mut Waterfall,
    ) {
        if to.since(from) < MIN_GAP {
            return;
        }
        let ordinal = from.as_nanos().cast_unsigned();
        let mut span = self.blank(ids::derived_span(key, name, ordinal), name, from);
        span.parent = Some(parent);
        span.end = Some(to);
        span.attributes.push("clew.kind", "gap");
        waterfall.spans.push(span);
    }
}
