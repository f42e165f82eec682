//! Commands: the roots that one command made are told by their writer and by how close they are to each other.

use clew_model::{CommandId, Time, ids};
use rustc_hash::FxHashMap;

use crate::Weaver;
use crate::step::{Cause, RootKind, StepId};

/// Roots of one writer this close to each other belong to one command.
const COMMAND_GAP: i64 = 1_000_000_000;

/// The first root of each chain of roots without long pauses, as far as it was looked for: a chain may have thousands.
pub(crate) type FirstRoots = FxHashMap<StepId, (Time, StepId)>;

impl Weaver {
    /// Keeps each writer's roots in order, and looks again at the neighbours of one that came or went.
    pub(crate) fn file_root(&mut self, root: StepId) {
        let Some(step) = self.memory.find_step(root) else { return };
        let Some(actor) = step.actor else { return };
        let asked = step.cause == Cause::Root(RootKind::Request);
        let entry = (step.time, root);
        let roots = self.roots.entry(actor).or_default();
        let changed = if asked { roots.insert(entry) } else { roots.remove(&entry) };
        if changed {
            let near = roots.range((step.time.saturating_sub(COMMAND_GAP), StepId(0))..);
            let near = near.take_while(|(time, _)| time.since(step.time) <= COMMAND_GAP);
            self.dirty.extend(near.map(|(_, root)| *root));
        }
    }

    /// The command that a root belongs to: the first root of a chain without long pauses names it.
    pub(crate) fn command_of(&self, root: StepId, firsts: &mut FirstRoots) -> Option<CommandId> {
        let step = self.memory.step(root);
        if let Some(trace) = self.memory.command_trace(step) {
            return Some(ids::command("", "", "", &trace.to_string()));
        }
        let actor = step.actor.filter(|_| step.cause == Cause::Root(RootKind::Request))?;
        let mut first = (step.time, root);
        let mut passed = vec![root];
        let earlier = self.roots.get(&actor)?.range(..first).rev();
        for entry in earlier.filter(|(time, root)| self.memory.is_asked(*root, actor, *time)) {
            if first.0.since(entry.0) > COMMAND_GAP {
                break;
            }
            if let Some(known) = firsts.get(&entry.1) {
                first = *known;
                break;
            }
            first = *entry;
            passed.push(entry.1);
        }
        firsts.extend(passed.into_iter().map(|root| (root, first)));
        let writer = self.memory.actors.get(actor);
        let text = |symbol| self.memory.symbols.text(symbol);
        let first = self.memory.step(first.1);
        let key = first.audit.as_ref().map_or_else(|| first.version.to_string(), ToString::to_string);
        Some(ids::command(text(writer.user), text(writer.agent), text(writer.address), &key))
    }

    /// Takes out roots that were forgotten, or whose writer or time turned out to be another.
    pub(crate) fn forget_roots(&mut self) {
        let memory = &self.memory;
        self.roots.retain(|actor, roots| {
            roots.retain(|(time, root)| memory.is_asked(*root, *actor, *time));
            !roots.is_empty()
        });
    }
}
