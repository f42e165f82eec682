//! What each step did to its object, from the versions before it.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::actor::{ActorId, Habit, Kind};
use crate::fact::Verb;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Digest, Effect, Origin, Step, StepId};
use crate::symbol::Symbol;

/// How soon after somebody else's write a mark counts as a reaction to it.
const REACTION: i64 = 5_000_000_000;

/// How many objects of one name are looked at.
const MAX_NAMESAKES: usize = 64;

/// Built-in kinds with a status that rules of their own follow, pod by pod and node by node.
const UNREPORTED: [&str; 5] = ["pods", "nodes", "replicasets", "endpoints", "endpointslices"];

impl Memory {
    /// Works out an object's effects anew; gives back the steps whose effect or place changed.
    pub(crate) fn work_out_effects(&mut self, object: ObjectId) -> Vec<StepId> {
        let steps = self.object(object).steps.clone();
        let versions = self.in_version_order(&steps);
        self.find_writers(&versions);
        let adopted: Vec<u64> = steps.iter().map(|id| self.step(*id).adopted).collect();
        let asker = self.asker(&steps);
        let moved = steps.iter().zip(adopted).filter(|(id, adopted)| self.step(**id).adopted != *adopted);
        let mut altered: Vec<StepId> = moved.map(|(id, _)| *id).collect();
        let said = self.first_said(object, &versions);
        let (mut changes, mut reports) = (Vec::new(), Vec::new());
        for id in &steps {
            let mut effect = if asker == Some(*id) { Effect::Deleted } else { self.effect(*id, &versions) };
            if effect == Effect::Attached && said.contains(id) {
                effect = Effect::Reported;
            }
            match effect {
                Effect::Attached => {}
                Effect::Reported => reports.push(*id),
                Effect::Created | Effect::Changed | Effect::Deleted => changes.push(*id),
            }
            if self.step(*id).effect != effect {
                self.step_mut(*id).effect = effect;
                altered.push(*id);
            }
        }
        changes.sort_by(|one, other| self.order(*one, *other));
        let record = self.object_mut(object);
        record.changes = SmallVec::from_slice(&changes);
        record.reports = reports;
        altered
    }

    /// The versions whose status says what none before it said: a heartbeat and a state that comes back are no news.
    fn first_said(&self, object: ObjectId, versions: &[StepId]) -> FxHashSet<StepId> {
        let record = self.object(object);
        let is_unreported = UNREPORTED.contains(&self.symbols.text(record.resource));
        let mut said: FxHashSet<u64> = record.said.iter().copied().chain([0]).collect();
        let mut former = 0;
        let first = versions.iter().copied().filter(|id| {
            let step = self.step(*id);
            let status = step.digest.status;
            // What a person writes into a status is meant, though it was said before.
            let is_asked = step.actor.is_some_and(|actor| self.actors.get(actor).kind == Kind::Client);
            let is_new = (!is_unreported && said.insert(status)) || (is_asked && status != former && status != 0);
            former = status;
            is_new && matches!(step.origin, Origin::Wrote | Origin::Modified)
        });
        first.collect()
    }

    /// Who wrote each version that nobody audited: whose entry in managedFields is not that of the version before.
    fn find_writers(&mut self, versions: &[StepId]) {
        let mut former: Option<StepId> = None;
        for id in versions {
            let step = self.step(*id);
            if step.audit.is_none() && !matches!(step.origin, Origin::Gone | Origin::Listed) {
                let known = former.map_or(&[][..], |former| self.step(former).managers.as_slice());
                let fresh = step.managers.iter().filter(|mark| !known.iter().any(|other| other.hash == mark.hash));
                let asks = former.is_none_or(|former| self.step(former).digest.spec != step.digest.spec);
                let writer = fresh.clone().find(|mark| mark.status != asks).or_else(|| fresh.clone().next());
                let (actor, status) = (writer.map(|mark| mark.actor), writer.is_some_and(|mark| mark.status));
                self.set_writer(*id, actor, status);
            }
            former = Some(*id);
        }
    }

    fn set_writer(&mut self, id: StepId, actor: Option<ActorId>, status: bool) {
        let subresource = if status { self.symbols.intern("status") } else { Symbol::default() };
        if self.step(id).actor != actor {
            self.unfile_dealing(id);
            self.step_mut(id).actor = actor;
            self.file_dealing(id);
        }
        self.step_mut(id).subresource = subresource;
    }

    /// What an object's changes tell of their writers; gives back those that are now taken for something else.
    pub(crate) fn note_habits(&mut self, object: ObjectId) -> Vec<ActorId> {
        let mut revealed = Vec::new();
        for id in self.object(object).steps.clone() {
            let step = self.step(id);
            let (Some(actor), habit) = (step.actor, self.habit(step)) else { continue };
            if self.actors.note_habit(actor, id, habit) {
                revealed.push(actor);
            }
        }
        revealed
    }

    pub(crate) fn habit(&self, step: &Step) -> Option<Habit> {
        let object = self.object(step.object);
        match step.effect {
            Effect::Attached | Effect::Reported => self.reports_on(step).then_some(Habit::Reports),
            Effect::Deleted if step.audit.is_none() => None,
            Effect::Created | Effect::Deleted if object.owner.is_some() => None,
            Effect::Created | Effect::Deleted => Some(self.follows_or_begins(step)),
            Effect::Changed => self.habit_of_change(step),
        }
    }

    /// Whether a write is of a status.
    fn reports_on(&self, step: &Step) -> bool {
        step.version > 0 && self.symbols.text(step.subresource) == "status"
    }

    fn follows_or_begins(&self, step: &Step) -> Habit {
        if self.follows_namesake(step) { Habit::Follows } else { Habit::Begins }
    }

    /// Whether somebody else has just changed an object of another kind with the same name, as an operator's input has.
    fn follows_namesake(&self, step: &Step) -> bool {
        let object = self.object(step.object);
        let Some(actor) = step.actor else { return false };
        let others = self.namesakes(step.object).filter(|other| self.object(*other).resource != object.resource);
        let mut changes = others.flat_map(|other| self.object(other).changes.iter()).map(|id| self.step(*id));
        changes.any(|change| {
            let asked = |other| !self.actors.same(actor, other) && self.actors.get(other).kind != Kind::Program;
            let foreign = change.actor.is_some_and(asked);
            let soon = step.time.since(change.time) < REACTION;
            foreign && soon && change.before(step) && change.audit.is_some()
        })
    }

    /// Other objects of the same name in the same namespace.
    pub(crate) fn namesakes(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        let object = self.object(id);
        let named = self.named(crate::mention(&object.name)).iter().copied().take(MAX_NAMESAKES);
        named.filter(move |other| *other != id && self.object(*other).namespace == object.namespace)
    }

    /// A change of what was asked for begins something; a mark right after somebody else's write reacts to it.
    fn habit_of_change(&self, step: &Step) -> Option<Habit> {
        let steps = self.object(step.object).steps.iter().map(|id| self.step(*id));
        let former = steps.filter(|other| other.version > 0 && other.version < step.version);
        let former = former.max_by_key(|other| other.version)?;
        let (Some(one), Some(other)) = (former.actor, step.actor) else { return None };
        if former.digest.content.is_none() || step.digest.content.is_none() {
            return self.follows_namesake(step).then_some(Habit::Follows);
        }
        if former.digest.spec != step.digest.spec {
            return Some(self.follows_or_begins(step));
        }
        let reacts = !self.actors.same(one, other) && step.time.since(former.time) < REACTION;
        reacts.then_some(Habit::Reacts)
    }

    /// A steady order for an object's changes.
    fn order(&self, one: StepId, other: StepId) -> std::cmp::Ordering {
        let (first, second) = (self.step(one), self.step(other));
        if first.before(second) {
            std::cmp::Ordering::Less
        } else if second.before(first) {
            std::cmp::Ordering::Greater
        } else {
            first.audit.cmp(&second.audit)
        }
    }

    fn in_version_order(&self, steps: &[StepId]) -> Vec<StepId> {
        let mut versions: Vec<StepId> = steps.iter().copied().filter(|id| self.step(*id).version > 0).collect();
        versions.sort_by_key(|id| self.step(*id).version);
        versions
    }

    /// The step that asked for the deletion: the first that is known to.
    fn asker(&mut self, steps: &[StepId]) -> Option<StepId> {
        let asks = |step: &Step| match step.origin {
            Origin::Removed => true,
            Origin::Wrote => step.digest.deleting && step.verb == Verb::Delete,
            _ => false,
        };
        for id in steps {
            self.step_mut(*id).adopted = 0;
        }
        let audited = steps.iter().copied().filter(|id| asks(self.step(*id)));
        let audited = audited.min_by_key(|id| self.step(*id).time);
        let seen = |step: &Step| step.digest.deleting || step.origin == Origin::Gone;
        let observed = steps.iter().copied().filter(|id| self.step(*id).version > 0 && seen(self.step(*id)));
        let observed = observed.min_by_key(|id| self.step(*id).version);
        let (Some(audited), Some(observed)) = (audited, observed) else { return audited.or(observed) };
        // The request has no version of its own, but the watch saw the one that it made.
        let version = self.step(observed).version;
        if self.step(observed).audit.is_none() && self.step(audited).origin == Origin::Removed {
            self.step_mut(audited).adopted = version;
        }
        Some(audited)
    }

    fn effect(&self, id: StepId, versions: &[StepId]) -> Effect {
        let step = self.step(id);
        if step.version == 0 || matches!(step.origin, Origin::Leaf | Origin::Removed | Origin::Gone) {
            return Effect::Attached;
        }
        let at = versions.partition_point(|other| self.step(*other).version < step.version);
        let former = at.checked_sub(1).map(|at| self.step(versions[at]));
        match (step.origin, step.verb) {
            (Origin::Listed, _) => Effect::Attached,
            (Origin::Added, _) if former.is_none() => Effect::Created,
            (Origin::Wrote, _) if step.creates => Effect::Created,
            _ => self.difference(step, former),
        }
    }

    fn difference(&self, step: &Step, former: Option<&Step>) -> Effect {
        let audited = step.audit.is_some();
        let status = matches!(self.symbols.text(step.subresource), "status" | "finalize");
        if status {
            return Effect::Attached;
        }
        let Some(former) = former else {
            return if audited { Effect::Changed } else { Effect::Attached };
        };
        if differs(&step.digest, &former.digest, audited) { Effect::Changed } else { Effect::Attached }
    }
}

/// Whether two versions differ in what makes a change; a version that no source showed differs if a write made it.
fn differs(digest: &Digest, former: &Digest, audited: bool) -> bool {
    match (digest.content, former.content) {
        (Some(content), Some(former)) => content != former,
        _ => audited,
    }
}
