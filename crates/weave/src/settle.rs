//! Finds the cause of every step that is new, or whose explanation may have changed.
//!
//! A queue in the order of time: explaining a step may put later steps back on it, never earlier ones, so it ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Bound;

use clew_model::Time;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::actor::ActorId;
use crate::memory::{Dealings, Memory};
use crate::object::ObjectId;
use crate::step::{Cause, Effect, Step, StepId};

/// How often one step is explained in one go, should clocks disagree so much that causes seem to form a circle.
const MAX_ROUNDS: u8 = 16;

/// How many writers one fact may show in another light.
const MAX_REVELATIONS: usize = 64;

/// How long after a write the same writer's next may follow from it.
const RECENT: i64 = 300_000_000_000;

/// How many of a writer's next steps are looked at again when one of them becomes known late.
const MAX_DEALINGS: usize = 256;

/// How far two clocks, or the watch and the audit log, may disagree on what came first.
const SLACK: i64 = 5_000_000_000;

/// The steps whose cause is to be found.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    queue: BinaryHeap<Reverse<(Time, u64, StepId)>>,
    queued: FxHashSet<StepId>,
    rounds: FxHashMap<StepId, u8>,
    /// The steps whose cause changed.
    pub(crate) moved: FxHashSet<StepId>,
}

impl Settling {
    fn push(&mut self, memory: &Memory, id: StepId) {
        let Some(step) = memory.find_step(id) else { return };
        if self.queued.insert(id) {
            self.queue.push(Reverse((step.time, step.version, id)));
        }
    }

    fn pop(&mut self) -> Option<StepId> {
        let Reverse((_, _, id)) = self.queue.pop()?;
        self.queued.remove(&id);
        Some(id)
    }

    /// Works out what the steps of touched objects did, and queues those that need an explanation.
    pub(crate) fn touch(&mut self, memory: &mut Memory, object: ObjectId) {
        let altered = memory.work_out_effects(object);
        let mut revealed = memory.note_habits(object);
        let namesakes: Vec<ObjectId> = memory.namesakes(object).collect();
        for other in namesakes {
            revealed.extend(memory.note_habits(other));
        }
        // What a built-in controller does to its parts depends on no status of theirs.
        let record = memory.object(object);
        let follows_rules = record.pod.is_some() || (record.owner.is_some() && !record.custom);
        for id in memory.object(object).steps.clone() {
            let step = memory.step(id);
            if step.settled {
                continue;
            }
            self.push(memory, id);
            // Whether a change is still outstanding depends on every version after it.
            if step.version > 0 && !follows_rules {
                self.push_dependents(memory, id);
            }
        }
        for id in altered {
            // What it does to others has changed, whatever its own cause.
            memory.step_mut(id).settled = false;
            self.push(memory, id);
            self.push_dependents(memory, id);
            self.push_siblings(memory, id);
        }
        for actor in revealed {
            self.reveal(memory, actor);
        }
    }

    /// Queues what a writer and its kin wrote, once it is taken for something else; that may change what others are
    /// taken for, whose changes follow its own.
    pub(crate) fn reveal(&mut self, memory: &mut Memory, actor: ActorId) {
        let mut revealed = vec![actor];
        for _ in 0..MAX_REVELATIONS {
            let Some(actor) = revealed.pop() else { return };
            let mut objects = FxHashSet::default();
            for (_, id) in memory.dealings_of(actor).into_iter().flatten() {
                self.push(memory, *id);
                objects.insert(memory.step(*id).object);
            }
            let near: FxHashSet<ObjectId> = objects.iter().flat_map(|object| memory.namesakes(*object)).collect();
            for object in near {
                revealed.extend(memory.note_habits(object));
            }
        }
    }

    /// Explains all that is queued.
    pub(crate) fn run(&mut self, memory: &mut Memory) {
        while let Some(id) = self.pop() {
            let rounds = self.rounds.entry(id).or_default();
            *rounds = rounds.saturating_add(1);
            if *rounds > MAX_ROUNDS || memory.find_step(id).is_none() {
                continue;
            }
            let explained = memory.explain(id);
            let step = memory.step_mut(id);
            let first = !step.settled;
            step.settled = true;
            let same = step.cause == explained.cause && step.links.as_slice() == explained.links.as_slice();
            if same && !first {
                continue;
            }
            step.cause = explained.cause;
            step.links = explained.links.into();
            self.moved.insert(id);
            let is_news = step.is_news();
            let disturbed = memory.note_disturbance(id);
            if is_news || !disturbed.is_empty() {
                self.push_dependents(memory, id);
            }
            for owner in disturbed {
                self.push_later(memory, owner, id);
                for child in memory.object(owner).children.clone() {
                    self.push_later(memory, child, id);
                }
            }
        }
    }

    /// Queues the later steps of everything that may have reacted to a change.
    fn push_dependents(&mut self, memory: &Memory, id: StepId) {
        let step = memory.step(id);
        let object = memory.object(step.object);
        self.push_later(memory, step.object, id);
        for child in &object.children {
            self.push_later(memory, *child, id);
        }
        if let Some(owner) = object.owner {
            self.push_later(memory, owner, id);
        }
        match memory.symbols.text(object.resource) {
            "namespaces" => self.push_namespace(memory, &object.name, id),
            "pods" | "services" | "deployments" | "statefulsets" | "daemonsets" => {
                for endpoints in memory.endpoints.get(&object.namespace).into_iter().flatten() {
                    self.push_later(memory, *endpoints, id);
                }
            }
            _ => {}
        }
        let context = step.extra().and_then(|extra| extra.context);
        for other in context.into_iter().filter_map(|context| memory.contexts.get(&context)).flatten() {
            self.push_later(memory, memory.step(*other).object, id);
        }
        let revision = step.extra().and_then(|extra| extra.revision.as_deref());
        let revision = revision.and_then(|revision| memory.revisions.get(&revision.key()));
        for other in revision.into_iter().flatten() {
            self.push_later(memory, memory.step(*other).object, id);
        }
        self.push_dealings(memory, id);
        if object.custom {
            for identity in memory.actors.reconcilers(object.kind) {
                self.push_after(memory, memory.dealings.get(identity), id, SLACK);
            }
        }
        let name = crate::mention(&object.name);
        let related = memory.named(name).iter().chain(memory.mentioning(name));
        let related = related.chain(object.mentions.iter().flat_map(|mention| memory.named(*mention)));
        for other in related.take(256) {
            self.push_later(memory, *other, id);
            self.push_served(memory, *other, id);
        }
    }

    /// Queues what an owner made in the place of a loss, when the loss itself took another place in time.
    fn push_siblings(&mut self, memory: &Memory, id: StepId) {
        let step = memory.step(id);
        let owner = memory.object(step.object).owner.filter(|_| step.effect == Effect::Deleted);
        let Some(owner) = owner else { return };
        for sibling in &memory.object(owner).children {
            self.push_later(memory, *sibling, id);
        }
        for above in memory.lineage(owner) {
            self.push_later(memory, above, id);
        }
    }

    /// Queues what was made for an object that names a changed one, and what names it in its turn.
    fn push_served(&mut self, memory: &Memory, through: ObjectId, id: StepId) {
        let object = memory.object(through);
        if !object.custom {
            return;
        }
        let parts = memory.mentioning(crate::mention(&object.name)).iter().take(64);
        let named = object.mentions.iter().flat_map(|mention| memory.named(*mention)).take(64);
        let namesakes = memory.named(crate::mention(&object.name)).iter().take(64);
        for other in parts.chain(named).chain(namesakes).chain(&object.children) {
            self.push_later(memory, *other, id);
        }
    }

    /// Queues what the same writer did soon after.
    fn push_dealings(&mut self, memory: &Memory, id: StepId) {
        let dealings = memory.step(id).actor.and_then(|actor| memory.dealings_of(actor));
        self.push_after(memory, dealings, id, RECENT);
    }

    fn push_after(&mut self, memory: &Memory, dealings: Option<&Dealings>, id: StepId, within: i64) {
        let time = memory.step(id).time;
        let until = (time.saturating_add(within), StepId(u32::MAX));
        let after = (Bound::Excluded((time, id)), Bound::Included(until));
        for (_, id) in dealings.into_iter().flat_map(|dealings| dealings.range(after)).take(MAX_DEALINGS) {
            self.push(memory, *id);
        }
    }

    fn push_namespace(&mut self, memory: &Memory, name: &str, id: StepId) {
        let Some(namespace) = memory.symbols.find(name) else { return };
        for object in memory.in_namespace(namespace) {
            self.push_later(memory, *object, id);
        }
    }

    fn push_later(&mut self, memory: &Memory, object: ObjectId, than: StepId) {
        let than = memory.step(than);
        let attempts = memory.object(object).attempts.iter();
        for id in attempts.filter(|id| memory.find_step(**id).is_some_and(|step| than.may_cause(step))) {
            self.push(memory, *id);
        }
        for id in memory.object(object).steps.iter().rev() {
            let step = memory.step(*id);
            if !step.settled {
                continue;
            }
            if than.may_cause(step) {
                self.push(memory, *id);
            } else if step.time.saturating_add(SLACK) < than.time {
                break;
            }
        }
    }
}

impl Memory {
    /// Files a change that an object's owners did not cause under them, or takes it out; gives back where that was news.
    fn note_disturbance(&mut self, id: StepId) -> Vec<ObjectId> {
        let step = self.step(id);
        let Some(owner) = self.object(step.object).owner else { return Vec::new() };
        let above: Vec<ObjectId> = self.lineage(owner).collect();
        let levels = self.levels_disturbed(step, &above);
        let mut news = Vec::new();
        for (level, object) in above.into_iter().enumerate() {
            let disturbs = level < levels;
            let disturbances = &mut self.object_mut(object).disturbances;
            let known = disturbances.contains(&id);
            if disturbs && !known {
                disturbances.push(id);
                news.push(object);
            } else if !disturbs && known {
                disturbances.retain(|other| *other != id);
                news.push(object);
            }
        }
        news
    }

    /// How many of an object's owners, from the nearest up, did not cause what was done to it.
    fn levels_disturbed(&self, step: &Step, above: &[ObjectId]) -> usize {
        let cause = match step.cause {
            Cause::Root(_) if step.is_change() => return above.len(),
            Cause::Step(cause, _) if step.effect == Effect::Deleted => self.step(cause),
            Cause::Root(_) | Cause::Step(..) | Cause::None => return 0,
        };
        let Some(level) = above.iter().position(|object| *object == cause.object) else { return above.len() };
        // An owner high up may have a controller that goes past those between: they will replace what it removed.
        let is_foreign = cause.effect != Effect::Deleted && !self.is_of_owner(above[0], step);
        if is_foreign && step.audit.is_some() && self.object(cause.object).custom { level } else { 0 }
    }
}
