//! Who writes, and which of them are controllers: told by what they do, never by their names.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::fact::Actor;
use crate::step::StepId;
use crate::symbol::{Symbol, Symbols};

/// How many identities one process must have shown as a controller before all of its identities count as one.
const MULTIPLEXED: usize = 3;

/// How often a writer must have reacted to what others had just written to be taken for a controller.
const REACTIONS: usize = 3;

/// The number of an actor in the weaver's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ActorId(u32);

/// One writer: a user with the program that it uses.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Writer {
    pub(crate) user: Symbol,
    pub(crate) agent: Symbol,
    pub(crate) address: Symbol,
    product: Symbol,
    /// What tells programs of one user apart: nothing for a service account, which is one workload.
    program: Symbol,
}

/// What a change tells of its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// It marks an object that another has just written.
    Reacts,
    /// It does something about an object right after another wrote one of the same name.
    Follows,
    /// It begins something.
    Begins,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Habits {
    reacts: FxHashSet<StepId>,
    follows: FxHashSet<StepId>,
    begins: FxHashSet<StepId>,
}

impl Habits {
    /// Whether the writer only ever marks objects right after others changed them: an operator that leaves its notes.
    fn only_reacts(&self) -> bool {
        self.begins.is_empty() && self.reacts.len() >= REACTIONS
    }

    /// Whether nearly all that the writer does follows what others did: an operator, even if it is a shell script.
    fn mostly_follows(&self) -> bool {
        self.follows.len() >= REACTIONS && self.follows.len() >= REACTIONS * self.begins.len()
    }
}

/// All writers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Actors {
    writers: Vec<Writer>,
    numbers: FxHashMap<(Symbol, Symbol, Symbol), u32>,
    /// What each (user, product) was seen to reconcile, whatever address it came from.
    roles: FxHashMap<(Symbol, Symbol), FxHashSet<Symbol>>,
    controls: FxHashSet<(Symbol, Symbol)>,
    habits: FxHashMap<(Symbol, Symbol), Habits>,
    /// The users that each process (product, address) was seen to reconcile as.
    processes: FxHashMap<(Symbol, Symbol), FxHashSet<Symbol>>,
}

impl Actors {
    /// The writer behind an audited request.
    pub(crate) fn intern(&mut self, actor: &Actor, symbols: &mut Symbols) -> ActorId {
        let user = symbols.intern(&actor.user);
        let agent = symbols.intern(&actor.agent);
        let address = symbols.intern(&actor.address);
        let product = symbols.intern(product(&actor.agent));
        let workload = actor.user.starts_with("system:serviceaccount:");
        let program = if workload { Symbol::default() } else { product };
        self.number(Writer { user, agent, address, product, program })
    }

    /// The writer behind a field manager, which is all that the watch knows.
    pub(crate) fn manager(&mut self, name: &CompactString, symbols: &mut Symbols) -> ActorId {
        let agent = symbols.intern(name);
        let none = Symbol::default();
        self.number(Writer { user: none, agent, address: none, product: agent, program: agent })
    }

    fn number(&mut self, writer: Writer) -> ActorId {
        let next = u32::try_from(self.writers.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry((writer.user, writer.agent, writer.address)).or_insert(next);
        if number == next {
            self.writers.push(writer);
        }
        ActorId(number)
    }

    pub(crate) fn get(&self, actor: ActorId) -> &Writer {
        &self.writers[actor.0 as usize]
    }

    /// Notes that the writer reconciles a kind; true if that is news.
    pub(crate) fn reconciles(&mut self, actor: ActorId, kind: Symbol) -> bool {
        let Writer { user, product, program, address, .. } = *self.get(actor);
        let process = self.processes.entry((product, address)).or_default().insert(user);
        let role = self.roles.entry((user, program)).or_default().insert(kind);
        process || role
    }

    /// Notes that the writer does what only controllers do; true if that is news.
    pub(crate) fn controls(&mut self, actor: ActorId) -> bool {
        let Writer { user, program, .. } = *self.get(actor);
        self.controls.insert((user, program))
    }

    /// Notes what one of the writer's changes looks like; true if what it is taken for changed.
    pub(crate) fn note_habit(&mut self, actor: ActorId, step: StepId, habit: Option<Habit>) -> bool {
        let before = self.is_by_habit(actor);
        let Writer { user, program, .. } = *self.get(actor);
        let habits = self.habits.entry((user, program)).or_default();
        habits.reacts.remove(&step);
        habits.follows.remove(&step);
        habits.begins.remove(&step);
        match habit {
            Some(Habit::Reacts) => habits.reacts.insert(step),
            Some(Habit::Follows) => habits.follows.insert(step),
            Some(Habit::Begins) => habits.begins.insert(step),
            None => false,
        };
        before != self.is_by_habit(actor)
    }

    /// Whether the writer's habits are those of a controller.
    pub(crate) fn is_by_habit(&self, actor: ActorId) -> bool {
        let Writer { user, program, .. } = self.get(actor);
        let habits = self.habits.get(&(*user, *program));
        habits.is_some_and(|habits| habits.only_reacts() || habits.mostly_follows())
    }

    /// Whether the writer reconciles this kind.
    pub(crate) fn has_role(&self, actor: ActorId, kind: Symbol) -> bool {
        let Writer { user, program, .. } = self.get(actor);
        self.roles.get(&(*user, *program)).is_some_and(|kinds| kinds.contains(&kind))
    }

    /// Whether the writer is a controller at all.
    pub(crate) fn is_controller(&self, actor: ActorId) -> bool {
        self.is_by_role(actor) || self.is_by_habit(actor)
    }

    /// Whether the writer does what only controllers do, whatever its habits.
    pub(crate) fn is_by_role(&self, actor: ActorId) -> bool {
        let Writer { user, product, program, address, .. } = self.get(actor);
        self.roles.contains_key(&(*user, *program))
            || self.controls.contains(&(*user, *program))
            || self.processes.get(&(*product, *address)).is_some_and(|users| users.len() >= MULTIPLEXED)
    }

    /// The writers that are the same user, or use the same program, as this one.
    pub(crate) fn kin(&self, actor: ActorId) -> Vec<ActorId> {
        let Writer { user, product, .. } = *self.get(actor);
        let numbered = (0..).map(ActorId).zip(&self.writers);
        let kin = numbered.filter(|(_, writer)| writer.product == product || writer.user == user);
        kin.map(|(id, _)| id).collect()
    }

    /// Whether two writers are the same user with the same program.
    pub(crate) fn same(&self, one: ActorId, other: ActorId) -> bool {
        let (one, other) = (self.get(one), self.get(other));
        one.user == other.user && one.program == other.program
    }
}

/// The program in a user agent: `kubectl` of `kubectl/v1.34.4 (linux/amd64)`.
fn product(agent: &str) -> &str {
    agent.split(['/', ' ']).next().unwrap_or_default()
}
