//! The causes that a program's write may have, each with a weight: the heaviest wins, if it weighs more than nobody.
//!
//! What is weighed is the write, not the writer. A candidate is news of a related object: a change, or a status that
//! said something new. It weighs by how the objects are related, less by its age, and far less if the writer has
//! written the object since: then it was served, unless what it asked for is still outstanding.

use smallvec::SmallVec;

use crate::actor::Kind;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Effect, Step, StepId};

use super::Found;
use super::relation::Relation;
use super::weighing::Weighing;

/// What a candidate weighs at least that somebody has just given cause for.
pub(super) const FRESH: i64 = 8;
/// What does not explain a status yet: a controller may report on an object for many reasons.
const DOUBTFUL: i64 = 1;
/// How many of an object's versions are looked at for the one that is restored.
const MAX_RESTORED: usize = 16;
/// How many of an object's reports are compared to find the last, which time and version may tell apart.
const MAX_RECENT: usize = 4;
/// How many objects of one name, and how many parts of one object, are looked at.
pub(super) const MAX_CANDIDATES: usize = 64;

/// A cause that a write may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) step: StepId,
    pub(crate) relation: Relation,
    /// More than zero if it explains the write better than that nobody caused it.
    pub(crate) weight: i64,
}

impl Memory {
    /// The heaviest candidate; none if nobody caused the write.
    pub(super) fn best_candidate(&self, step: &Step) -> Found {
        let candidates = self.candidates(step);
        let least = if step.effect == Effect::Reported { DOUBTFUL } else { 0 };
        let best = candidates.into_iter().filter(|candidate| candidate.weight > least);
        let best = best.reduce(|best, other| if self.is_heavier(&other, &best) { other } else { best })?;
        let cause = if best.relation == Relation::Itself { self.source(best.step) } else { best.step };
        Some((cause, best.relation.evidence()))
    }

    /// The heaviest candidate that somebody has just given cause for.
    pub(super) fn fresh_candidate(&self, step: &Step) -> Found {
        let fresh = self.candidates(step).into_iter().filter(|candidate| candidate.weight >= FRESH);
        let best = fresh.reduce(|best, other| if self.is_heavier(&other, &best) { other } else { best })?;
        Some((best.step, best.relation.evidence()))
    }

    /// Of two that weigh the same, the later one wins.
    fn is_heavier(&self, one: &Candidate, other: &Candidate) -> bool {
        let rank = |candidate: &Candidate| {
            let step = self.step(candidate.step);
            (candidate.weight, step.version.max(step.adopted), step.time, step.audit.clone())
        };
        rank(one) > rank(other)
    }

    /// All that may have caused a program's write.
    pub(crate) fn candidates(&self, step: &Step) -> Vec<Candidate> {
        let mut weighing = Weighing::of(self, step);
        weighing.news_of(step.object, Relation::Itself);
        let object = self.object(step.object);
        for predecessor in self.by_name(object.resource, object.namespace, &object.name) {
            if *predecessor != step.object {
                weighing.news_of(*predecessor, Relation::Itself);
            }
        }
        weighing.owners();
        for manager in self.managers(step.object) {
            weighing.news_of(manager, Relation::Manages);
        }
        if object.children.len() <= MAX_CANDIDATES && object.custom {
            for part in &object.children {
                weighing.news_of(*part, Relation::Part);
            }
        }
        weighing.references();
        weighing.inputs();
        if let Some(namespace) = self.namespace(object.namespace).filter(|namespace| *namespace != step.object)
            && let Some(change) = self.last_before(&self.object(namespace).changes, step)
        {
            let ends = self.step(change).effect == Effect::Deleted;
            weighing.add(change, if ends { Relation::Ends } else { Relation::Namespace });
        }
        weighing.dealings();
        if let Some(restored) = self.restored(step) {
            weighing.restores(restored);
        }
        weighing.found
    }

    /// What manages an object by a convention.
    fn managers(&self, id: ObjectId) -> SmallVec<[ObjectId; 2]> {
        let mut managers = SmallVec::new();
        for (kind, namespace, name) in &self.object(id).managed_by {
            let named = self.named(*name).iter().copied().take(MAX_CANDIDATES);
            managers.extend(named.filter(|other| {
                let manager = self.object(*other);
                let any = self.symbols.text(*kind).is_empty();
                *other != id
                    && (any || manager.kind == *kind)
                    && namespace.is_none_or(|namespace| manager.namespace == namespace)
            }));
        }
        managers
    }

    /// The last change or report of an object before a step.
    pub(super) fn latest_news(&self, id: ObjectId, step: &Step) -> Option<StepId> {
        self.later_of(self.last_before(&self.object(id).changes, step), self.last_report(id, step))
    }

    pub(super) fn last_report(&self, id: ObjectId, step: &Step) -> Option<StepId> {
        let reports = self.object(id).reports.iter().rev().copied().filter(|id| self.step(*id).before(step));
        reports.take(MAX_RECENT).reduce(|best, id| self.later_of(Some(best), Some(id)).unwrap_or(best))
    }

    pub(super) fn later_of(&self, one: Option<StepId>, other: Option<StepId>) -> Option<StepId> {
        match (one, other) {
            (Some(one), Some(other)) if self.step(one).before(self.step(other)) => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// The change by somebody else that a write takes back: since then the object is as it was.
    pub(super) fn restored(&self, step: &Step) -> Option<StepId> {
        if step.effect == Effect::Created {
            return self.deletion_undone(step);
        }
        let content = step.digest.content.filter(|_| step.effect == Effect::Changed)?;
        let is_same = |other: &Step| {
            other.digest.content == Some(content)
                || (other.digest.content.is_some() && other.digest.spec == step.digest.spec && step.digest.spec != 0)
        };
        let mut undone = None;
        let steps = self.object(step.object).steps.iter().rev().copied();
        for id in steps.filter(|id| self.step(*id).version > 0 && self.step(*id).before(step)).take(MAX_RESTORED) {
            let version = self.step(id);
            if is_same(version) {
                return undone;
            }
            if version.is_change() {
                if self.is_by_same(version, step) {
                    return None;
                }
                undone = Some(id);
            }
        }
        None
    }

    /// The deletion by somebody else of an object that was what is created now.
    fn deletion_undone(&self, step: &Step) -> Option<StepId> {
        let object = self.object(step.object);
        let predecessors = self.by_name(object.resource, object.namespace, &object.name);
        let deletions = predecessors.iter().filter(|id| **id != step.object).filter_map(|id| self.deletion_of(*id));
        let earlier: Vec<StepId> = deletions.filter(|id| self.step(*id).before(step)).collect();
        let deletion = self.last_before(&earlier, step).filter(|id| !self.is_by_same(self.step(*id), step))?;
        let versions = self.object(self.step(deletion).object).steps.iter().map(|id| self.step(*id));
        let last = versions.filter(|version| version.digest.content.is_some()).max_by_key(|version| version.version)?;
        (last.digest.spec == step.digest.spec).then_some(deletion)
    }

    /// Whether somebody asked for a write with a client.
    pub(super) fn is_request(&self, step: &Step) -> bool {
        step.actor.is_some_and(|actor| self.actors.get(actor).kind == Kind::Client)
    }

    pub(super) fn is_by_same(&self, one: &Step, other: &Step) -> bool {
        matches!((one.actor, other.actor), (Some(one), Some(other)) if self.actors.same(one, other))
    }

    /// Whether what a writer reconciles may be about an object: it is beside it, or names its namespace.
    pub(super) fn may_be_about(&self, reconciled: ObjectId, id: ObjectId) -> bool {
        let (reconciled, object) = (self.object(reconciled), self.object(id));
        let namespace = || crate::mention(self.symbols.text(object.namespace));
        reconciled.namespace == object.namespace || reconciled.mentions.contains(&namespace())
    }
}
