//! What is worth a look in a journey: fights, loops, refusals, restarts.

use rustc_hash::FxHashMap;

use crate::object::ObjectId;
use crate::output::Finding;
use crate::step::{Effect, Step};

use super::Builder;

/// How often one writer may change one object in one journey before it counts as a loop.
const LOOP: usize = 30;
/// How often what was changed must be restored before it counts as a fight.
const FLIPS: usize = 2;

impl Builder<'_> {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut objects: Vec<ObjectId> = self.steps.iter().map(|id| self.memory.step(*id).object).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut findings = Vec::new();
        for object in objects {
            findings.extend(self.fight(object));
            findings.extend(self.endless(object));
            findings.extend(self.restarts(object));
        }
        findings.extend(self.refused());
        findings
    }

    /// Two writers that take turns in restoring what the other changed.
    fn fight(&self, object: ObjectId) -> Option<Finding> {
        let changes = self.memory.object(object).changes.iter().map(|id| self.memory.step(*id));
        let changes: Vec<&Step> = changes.filter(|step| step.digest.content.is_some()).collect();
        let mut flips: Vec<(&Step, String)> = Vec::new();
        for (at, step) in changes.iter().enumerate() {
            let Some(writer) = self.writer(step) else { continue };
            let earlier = &changes[..at];
            let mine = earlier.iter().rposition(|other| self.writer(other).as_ref() == Some(&writer));
            let restores =
                mine.is_some_and(|mine| mine + 1 < at && earlier[mine].digest.content == step.digest.content);
            if restores {
                flips.push((step, writer));
            }
        }
        let here = flips.iter().any(|(step, _)| step.journey == Some(self.root));
        let field = flips.first().map(|(step, _)| self.diff(step)).unwrap_or_default();
        let mut writers: Vec<String> = flips.into_iter().map(|(_, writer)| writer).collect();
        let count = writers.len();
        writers.sort_unstable();
        writers.dedup();
        if count < FLIPS || writers.len() < 2 || !here {
            return None;
        }
        let field = field.first().map(|field| format!(" at {}", field.path)).unwrap_or_default();
        let message = format!("{} undo each other's changes of {}{field}", writers.join(" and "), self.label(object));
        Some(Finding { kind: "fight".into(), message })
    }

    /// A writer that changes one object again and again.
    fn endless(&self, object: ObjectId) -> Option<Finding> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for step in self.memory.object(object).changes.iter().map(|id| self.memory.step(*id)) {
            if step.effect == Effect::Changed && step.journey == Some(self.root) {
                *counts.entry(self.writer(step)?).or_default() += 1;
            }
        }
        let (writer, count) = counts.into_iter().max_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)))?;
        let message = format!("{writer} changed {} {count} times", self.label(object));
        (count >= LOOP).then(|| Finding { kind: "loop".into(), message })
    }

    fn restarts(&self, object: ObjectId) -> Option<Finding> {
        let record = self.memory.object(object);
        let made = self.memory.creation_of(object)?;
        let worst = record.pod.as_ref()?.containers.iter().max_by_key(|container| container.restarts)?;
        if worst.restarts == 0 || self.memory.step(made).journey != Some(self.root) {
            return None;
        }
        let exit = worst.exit.map(|code| format!(", last exit code {code}")).unwrap_or_default();
        let (name, restarts) = (&worst.name, worst.restarts);
        let message = format!("container {name} of {} was restarted {restarts} times{exit}", self.label(object));
        Some(Finding { kind: "restarts".into(), message })
    }

    /// Refusals other than conflicts, which are a controller's everyday life.
    fn refused(&self) -> Vec<Finding> {
        let mut counts: FxHashMap<(String, &str), (usize, &str)> = FxHashMap::default();
        for step in self.steps.iter().map(|id| self.memory.step(*id)) {
            let Some((code, reason)) = step.refused() else { continue };
            if matches!(code, 404 | 409) {
                continue;
            }
            let what = format!(
                "{} {}",
                step.verb.as_str(),
                self.memory.symbols.text(self.memory.object(step.object).resource)
            );
            let entry = counts.entry((what, reason.reason.as_str())).or_insert((0, &reason.message));
            entry.0 += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let told = counts.into_iter().map(|((what, reason), (count, message))| Finding {
            kind: "refused".into(),
            message: format!("{what} was refused {count} times: {reason}: {message}"),
        });
        told.collect()
    }

    fn writer(&self, step: &Step) -> Option<String> {
        let actor = self.memory.actors.get(step.actor?);
        let user = self.memory.symbols.text(actor.user);
        Some(if user.is_empty() { self.memory.symbols.text(actor.agent) } else { user }.to_owned())
    }
}
