//! What each candidate of one write weighs.

use smallvec::SmallVec;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Effect, Step, StepId};

use super::candidates::{Candidate, FRESH, MAX_CANDIDATES};
use super::relation::Relation;

/// What a candidate loses once the writer has dealt with it.
const SERVED: i64 = 10;
/// What an owner loses then: what its controller still does to its parts, it does for the owner, after a delay.
const SERVED_OWNER: i64 = 3;
/// What a custom resource loses whose status does not say whether it is done: its controller may still be at it.
const SERVED_SILENT: i64 = 5;
/// The most that a candidate loses by its age while what it asked for is outstanding.
const PATIENT: i64 = 4;
/// What a status weighs less than a change does, unless the object that was written depends on the one that reports.
const REPORT: i64 = 5;
/// What a candidate weighs more if the writer is known to reconcile its kind.
const ROLE: i64 = 4;
/// What a candidate weighs more that somebody else did this shortly before.
const PROMPT: i64 = 4;
const PROMPTLY: i64 = 500_000_000;
/// How long a writer may be at one object, as far as its dealings are looked at.
const RECONCILE: i64 = 300_000_000_000;
/// How many of the objects that a writer reconciles are looked at for what they name.
const MAX_INPUTS: usize = 8;
/// How long after it dealt with one object a writer may act on another for that reason alone.
const RECENT: i64 = 3_000_000_000;

/// What the control plane derives from Services and pods.
const DERIVED: [&str; 3] = ["endpoints", "endpointslices", "ipaddresses"];

/// What the weights of one write's candidates depend on.
pub(super) struct Weighing<'a> {
    memory: &'a Memory,
    step: &'a Step,
    /// The last news of the object that the writer made.
    last: Option<&'a Step>,
    pub(super) found: Vec<Candidate>,
}

impl<'a> Weighing<'a> {
    pub(super) fn of(memory: &'a Memory, step: &'a Step) -> Self {
        let steps = memory.object(step.object).steps.iter().rev().map(|id| memory.step(*id));
        let mut mine = steps.filter(|other| other.is_news() && other.before(step) && memory.is_by_same(other, step));
        Self { memory, step, last: mine.next(), found: Vec::new() }
    }

    pub(super) fn news_of(&mut self, object: ObjectId, relation: Relation) {
        // What is derived from others causes nothing by itself.
        if DERIVED.contains(&self.memory.symbols.text(self.memory.object(object).resource)) && relation.is_loose() {
            return;
        }
        let change = self.memory.last_before(&self.memory.object(object).changes, self.step);
        let report = self.memory.last_report(object, self.step);
        for news in change.into_iter().chain(report) {
            self.add(news, relation);
        }
    }

    pub(super) fn add(&mut self, news: StepId, relation: Relation) {
        let candidate = self.memory.step(news);
        // What a person writes into a status is a request, as a promotion of a rollout is.
        // What a controller reports on its own objects, it acts on.
        let counts_as_change = self.memory.is_request(candidate) || self.is_reconciled(candidate);
        let is_report = candidate.effect == Effect::Reported && !counts_as_change;
        let mut weight = relation.weight();
        let by_other = relation == Relation::Itself && !self.memory.is_by_same(candidate, self.step);
        let by_name = matches!(relation, Relation::ReferencedBy | Relation::Mentions);
        if is_report && (by_other || by_name) {
            weight -= REPORT;
        }
        if self.step.effect == Effect::Reported && by_name {
            weight -= REPORT;
        }
        if relation != Relation::Restores {
            let served = self.last.is_some_and(|last| !last.before(candidate));
            let outstanding = self.is_outstanding(news, candidate);
            let age = i64::from((1 + self.step.time.since(candidate.time).max(0) / 1_000_000_000).ilog2());
            // One reconcile may write more than once, and who waits for something acts on it more than once.
            let at_once = relation == Relation::Itself && age == 0 && !by_other;
            let is_open = at_once || (outstanding && !relation.is_loose());
            weight -= match (outstanding, served) {
                (true, _) => age.min(PATIENT),
                (false, true) => age,
                (false, false) => 2 * age,
            };
            weight += match (served, relation) {
                (true, _) if is_open => 0,
                (true, Relation::Owns(_)) => -SERVED_OWNER,
                (true, Relation::Itself) if self.may_go_on() => -SERVED_SILENT,
                (true, _) => -SERVED,
                (false, _) if self.is_reconciled(candidate) => ROLE,
                (false, _) => 0,
            };
            let is_prompt = self.step.time.since(candidate.time) < PROMPTLY;
            let by_chance = by_name && self.step.effect == Effect::Reported;
            if is_prompt && !served && !by_chance && !self.memory.is_by_same(candidate, self.step) {
                weight += PROMPT;
            }
        }
        self.found.push(Candidate { step: news, relation, weight });
    }

    /// What is put back belongs to who took it away, unless somebody asked for it since: resumed, retried.
    pub(super) fn restores(&mut self, restored: StepId) {
        self.add(restored, Relation::Restores);
        let memory = self.memory;
        for candidate in &mut self.found {
            let step = memory.step(candidate.step);
            let is_strong = !candidate.relation.is_loose() && candidate.weight >= FRESH;
            if is_strong && memory.is_request(step) && memory.step(restored).before(step) {
                candidate.weight += Relation::Restores.weight();
            }
        }
    }

    /// Whether the writer is known to reconcile a candidate's kind.
    fn is_reconciled(&self, candidate: &Step) -> bool {
        self.reconciles(candidate.object)
    }

    fn reconciles(&self, object: ObjectId) -> bool {
        let kind = self.memory.object(object).kind;
        self.step.actor.is_some_and(|actor| self.memory.actors.has_role(actor, kind))
    }

    /// Whether what a candidate asked for is not done yet.
    fn is_outstanding(&self, news: StepId, candidate: &Step) -> bool {
        let gone = self.memory.object(candidate.object).gone;
        match candidate.effect {
            Effect::Deleted => gone.is_none_or(|gone| self.step.time < gone),
            _ => !candidate.digest.current && self.memory.is_outstanding(news, self.step),
        }
    }

    /// Whether nobody can tell if a custom resource is done: its status has none of the words for it.
    fn may_go_on(&self) -> bool {
        let reports = self.step.effect == Effect::Reported && self.memory.object(self.step.object).custom;
        reports && self.last.is_some_and(|last| !last.digest.done)
    }

    /// The owners, and what somebody did to their other parts.
    pub(super) fn owners(&mut self) {
        let memory = self.memory;
        let Some(owner) = memory.object(self.step.object).owner else { return };
        for (level, above) in (0..).zip(memory.lineage(owner)) {
            self.news_of(above, Relation::Owns(level));
            if let Some(disturbed) = memory.last_before(&memory.object(above).disturbances, self.step)
                && memory.step(disturbed).object != self.step.object
            {
                self.add(disturbed, Relation::Owns(level));
            }
        }
    }

    /// What the objects that the writer reconciles name in their turn: their controller acts on that, too.
    pub(super) fn inputs(&mut self) {
        let (memory, object) = (self.memory, self.step.object);
        let reconciled: SmallVec<[ObjectId; 8]> = if self.is_reconciled(self.step) {
            memory.mentioned_by(object).filter(|other| memory.names_kind(object, *other)).take(MAX_INPUTS).collect()
        } else {
            let related = self.found.iter().map(|candidate| memory.step(candidate.step));
            related.filter(|other| self.is_reconciled(other)).map(|other| other.object).take(MAX_INPUTS).collect()
        };
        for (at, through) in reconciled.iter().enumerate() {
            if reconciled[..at].contains(through) {
                continue;
            }
            let home = self.step.actor.map(|actor| memory.actors.get(actor).namespace).unwrap_or_default();
            let named = memory.named_by(*through, home).take(MAX_CANDIDATES);
            for input in named.filter(|input| *input != object) {
                let changes = &memory.object(input).changes;
                let change = memory.last_before(changes, self.step);
                if let Some(change) = change.filter(|id| !memory.is_by_same(memory.step(*id), self.step)) {
                    self.add(change, Relation::Input);
                }
            }
        }
    }

    /// What the writer reconciles and has just written: it may be in the middle of it.
    pub(super) fn dealings(&mut self) {
        let (memory, step) = (self.memory, self.step);
        // What a controller reconciles itself is reconciled for its own sake.
        if self.is_reconciled(step) {
            return;
        }
        // It may act first, and report on what it reconciles after.
        let namespace = memory.symbols.text(memory.object(step.object).namespace);
        if !namespace.is_empty() {
            for other in memory.mentioning(crate::mention(namespace)).iter().take(MAX_CANDIDATES) {
                if memory.object(*other).custom && self.reconciles(*other) {
                    self.news_of(*other, Relation::Reconciled);
                }
            }
        }
        let Some(dealings) = step.actor.and_then(|actor| memory.dealings_of(actor)) else { return };
        let since = (step.time.saturating_sub(RECONCILE), StepId(0));
        let mut passed: SmallVec<[ObjectId; 8]> = SmallVec::new();
        for (_, id) in dealings.range(since..=(step.time, StepId(u32::MAX))).rev().take(MAX_CANDIDATES) {
            let Some(dealt) = memory.find_step(*id).filter(|dealt| dealt.before(step)) else { continue };
            if dealt.object == step.object || passed.contains(&dealt.object) || !self.is_reconciled(dealt) {
                continue;
            }
            passed.push(dealt.object);
            if memory.may_be_about(dealt.object, step.object) {
                self.news_of(dealt.object, Relation::Reconciled);
            } else if step.time.since(dealt.time) < RECENT {
                self.news_of(dealt.object, Relation::DealtWith);
            }
        }
    }

    pub(super) fn references(&mut self) {
        let memory = self.memory;
        let object = self.step.object;
        for other in memory.mentioned_by(object) {
            let by_kind = memory.names_kind(object, other);
            self.news_of(other, if by_kind { Relation::References } else { Relation::Mentions });
        }
        for other in memory.mentioning_object(self.step) {
            let by_kind = memory.names_kind(other, object);
            self.news_of(other, if by_kind { Relation::ReferencedBy } else { Relation::Mentions });
        }
        let resource = memory.object(object).resource;
        for other in memory.namesakes(object).filter(|other| memory.object(*other).resource != resource) {
            self.news_of(other, Relation::Mentions);
        }
    }
}
