//! Why a write is where it is: the cause that won, and those that lost, with their weights.

use clew_model::{Evidence, Time};
use serde::{Deserialize, Serialize};

use crate::Weaver;
use crate::explain::Candidate;
use crate::fact::Uid;
use crate::step::{Cause, Effect, Step, StepId};

/// Why a write happened, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// The write.
    pub what: String,
    /// When it was asked for.
    pub time: Time,
    /// What caused it; none for a root, and for what nothing explains.
    pub cause: Option<String>,
    /// Why that is believed; none for a root.
    pub evidence: Option<Evidence>,
    /// All that may have caused it, the heaviest first. Only what a program decided on has such.
    pub candidates: Vec<Weighed>,
}

/// A cause that a write may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Weighed {
    /// The change or the report.
    pub what: String,
    /// When it was asked for.
    pub time: Time,
    /// How its object is related to the one that was written.
    pub relation: String,
    /// What it weighs; nobody weighs nothing.
    pub weight: i64,
}

impl Weaver {
    /// Why an audited write happened; none if it is not, or no longer, in memory.
    pub fn why(&self, audit: &Uid) -> Option<Why> {
        let id = *self.memory.steps_of_audit(audit).first()?;
        let step = self.memory.step(id);
        let (cause, evidence) = match step.cause {
            Cause::Step(cause, evidence) => (Some(self.what(cause)), Some(evidence)),
            Cause::None | Cause::Root(_) => (None, None),
        };
        let mut candidates = if self.memory.may_react(step) { self.memory.candidates(step) } else { Vec::new() };
        candidates
            .sort_by_key(|candidate| std::cmp::Reverse((candidate.weight, self.memory.step(candidate.step).time)));
        candidates.dedup_by_key(|candidate| candidate.step);
        let candidates = candidates.iter().map(|candidate| self.weighed(candidate)).collect();
        Some(Why { what: self.what(id), time: step.time, cause, evidence, candidates })
    }

    fn weighed(&self, candidate: &Candidate) -> Weighed {
        let time = self.memory.step(candidate.step).time;
        let relation = candidate.relation.to_string();
        Weighed { what: self.what(candidate.step), time, relation, weight: candidate.weight }
    }

    /// `patch deployments shop/web by alice`.
    fn what(&self, id: StepId) -> String {
        let step = self.memory.step(id);
        let object = self.memory.object(step.object);
        let text = |symbol| self.memory.symbols.text(symbol);
        let writer = step.actor.map(|actor| self.memory.actors.get(actor));
        let user =
            writer.map(|writer| if text(writer.user).is_empty() { text(writer.agent) } else { text(writer.user) });
        let namespace = text(object.namespace);
        let slash = if namespace.is_empty() { "" } else { "/" };
        let by = user.map(|user| format!(" by {user}")).unwrap_or_default();
        format!("{} {} {namespace}{slash}{}{by}", word(step), text(object.resource), object.name)
    }
}

fn word(step: &Step) -> &'static str {
    match step.effect {
        Effect::Created => "create",
        Effect::Deleted => "delete",
        Effect::Reported => "report",
        Effect::Changed | Effect::Attached => step.verb.as_str(),
    }
}
