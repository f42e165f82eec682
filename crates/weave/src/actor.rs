//! Who writes: what the account, the program and what it did before tell of whether a write was asked for.
//!
//! All of this is evidence about one write: nothing that a writer did makes anything of it for life.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::fact::Actor;
use crate::step::StepId;
use crate::symbol::{Symbol, Symbols};

/// How often a writer must have followed what others had just written before one more such write counts as a reaction.
const REACTIONS: usize = 3;

/// Programs that people and pipelines run to ask for something, as user agents and field managers name them.
const CLIENTS: [&str; 21] = [
    "ansible",
    "argocd",
    "curl",
    "flux",
    "hashicorp",
    "headlamp",
    "helm",
    "helmfile",
    "k9s",
    "kapp",
    "kubectl",
    "kustomize",
    "lens",
    "mozilla",
    "oc",
    "octant",
    "pulumi",
    "skaffold",
    "terraform",
    "tilt",
    "wget",
];

/// The number of an actor in the weaver's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ActorId(u32);

/// A user with a program.
pub(crate) type Identity = (Symbol, Symbol);

/// Who decides on what a program writes, as far as its account and its name tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Whoever runs it: a command line tool.
    Client,
    /// The program itself: a component of Kubernetes, or a controller under a service account.
    Program,
    /// Either: a program under a user's own account.
    Unknown,
}

/// One writer: a user with the program that it uses.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Writer {
    pub(crate) user: Symbol,
    pub(crate) agent: Symbol,
    pub(crate) address: Symbol,
    pub(crate) kind: Kind,
    /// The namespace of a service account.
    pub(crate) namespace: Symbol,
    /// What tells programs of one user apart. The programs of a service account are one workload, but for its clients.
    program: Symbol,
}

/// What one write tells of its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// It reports on an object, as only its controller does.
    Reports,
    /// It marks an object that another has just written.
    Reacts,
    /// It does something about an object right after another wrote one of the same name.
    Follows,
    /// It begins something.
    Begins,
}

/// How often a writer did something: in steps that are remembered, and before.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tally {
    steps: FxHashSet<StepId>,
    forgotten: usize,
}

impl Tally {
    fn count(&self) -> usize {
        self.steps.len() + self.forgotten
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Habits {
    reports: Tally,
    reacts: Tally,
    follows: Tally,
    begins: Tally,
}

impl Habits {
    fn tally(&mut self, habit: Habit) -> &mut Tally {
        match habit {
            Habit::Reports => &mut self.reports,
            Habit::Reacts => &mut self.reacts,
            Habit::Follows => &mut self.follows,
            Habit::Begins => &mut self.begins,
        }
    }

    fn all(&mut self) -> [&mut Tally; 4] {
        [&mut self.reports, &mut self.reacts, &mut self.follows, &mut self.begins]
    }

    /// Whether the writer only ever marks objects right after others changed them, or nearly all that it does follows
    /// what others did: an operator, even if it is a shell script.
    fn follow_others(&self) -> bool {
        let (reacts, follows, begins) = (self.reacts.count(), self.follows.count(), self.begins.count());
        (begins == 0 && reacts >= REACTIONS) || (follows >= REACTIONS && follows >= REACTIONS * begins)
    }

    /// Whether the writer reports on objects more often than it begins something.
    fn reconcile(&self) -> bool {
        self.reports.count() > 0 && self.reports.count() >= self.begins.count()
    }
}

/// All writers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Actors {
    writers: Vec<Writer>,
    numbers: FxHashMap<(Symbol, Symbol, Symbol), u32>,
    /// What each (user, program) was seen to reconcile, whatever address it came from.
    roles: FxHashMap<Identity, FxHashSet<Symbol>>,
    habits: FxHashMap<Identity, Habits>,
}

impl Actors {
    /// The writer behind an audited request.
    pub(crate) fn intern(&mut self, actor: &Actor, symbols: &mut Symbols) -> ActorId {
        let user = symbols.intern(&actor.user);
        let agent = symbols.intern(&actor.agent);
        let address = symbols.intern(&actor.address);
        let kind = kind(&actor.user, product(&actor.agent));
        let workload = kind == Kind::Program && actor.user.starts_with("system:serviceaccount:");
        let program = if workload { Symbol::default() } else { symbols.intern(product(&actor.agent)) };
        let account = actor.user.strip_prefix("system:serviceaccount:").and_then(|account| account.split_once(':'));
        let namespace = account.map(|(namespace, _)| symbols.intern(namespace)).unwrap_or_default();
        self.number(Writer { user, agent, address, kind, namespace, program })
    }

    /// The writer behind a field manager, which is all that the watch knows.
    pub(crate) fn manager(&mut self, name: &CompactString, symbols: &mut Symbols) -> ActorId {
        let agent = symbols.intern(name);
        let none = Symbol::default();
        let kind = if is_component(name) { Kind::Program } else { kind("", name) };
        self.number(Writer { user: none, agent, address: none, kind, namespace: none, program: agent })
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

    /// Notes that the writer reconciles a kind; true if that is news. What a person asks a client for is no role.
    pub(crate) fn reconciles(&mut self, actor: ActorId, kind: Symbol) -> bool {
        let Writer { user, program, kind: class, .. } = *self.get(actor);
        class != Kind::Client && self.roles.entry((user, program)).or_default().insert(kind)
    }

    /// Notes what one of the writer's changes looks like; true if what it is taken for changed.
    pub(crate) fn note_habit(&mut self, actor: ActorId, step: StepId, habit: Option<Habit>) -> bool {
        let Writer { user, program, kind, .. } = *self.get(actor);
        // What a program under an account of its own does is told by what it reacts to, each time.
        if kind == Kind::Program {
            return false;
        }
        let before = self.is_controller(actor);
        let habits = self.habits.entry((user, program)).or_default();
        for tally in habits.all() {
            tally.steps.remove(&step);
        }
        if let Some(habit) = habit {
            habits.tally(habit).steps.insert(step);
        }
        before != self.is_controller(actor)
    }

    /// Keeps the count of a step that is forgotten.
    pub(crate) fn forget_habit(&mut self, actor: ActorId, step: StepId) {
        let Writer { user, program, .. } = *self.get(actor);
        let Some(habits) = self.habits.get_mut(&(user, program)) else { return };
        for tally in habits.all() {
            tally.forgotten += usize::from(tally.steps.remove(&step));
        }
    }

    /// Whether the writer reconciles this kind.
    pub(crate) fn has_role(&self, actor: ActorId, kind: Symbol) -> bool {
        let Writer { user, program, .. } = self.get(actor);
        self.roles.get(&(*user, *program)).is_some_and(|kinds| kinds.contains(&kind))
    }

    /// The writers that reconcile this kind.
    pub(crate) fn reconcilers(&self, kind: Symbol) -> impl Iterator<Item = &Identity> {
        self.roles.iter().filter(move |(_, kinds)| kinds.contains(&kind)).map(|(identity, _)| identity)
    }

    /// Whether the writer is a program that decides for itself, as far as is known.
    pub(crate) fn is_controller(&self, actor: ActorId) -> bool {
        let Writer { user, program, kind, .. } = self.get(actor);
        let habits = || self.habits.get(&(*user, *program));
        match kind {
            Kind::Program => true,
            Kind::Client => habits().is_some_and(Habits::follow_others),
            Kind::Unknown => habits().is_some_and(|habits| habits.follow_others() || habits.reconcile()),
        }
    }

    /// What tells a writer from others, whatever agents and addresses it uses: its user and program.
    pub(crate) fn identity(&self, actor: ActorId) -> Identity {
        let Writer { user, program, .. } = *self.get(actor);
        (user, program)
    }

    /// Whether two writers are the same user with the same program.
    pub(crate) fn same(&self, one: ActorId, other: ActorId) -> bool {
        self.identity(one) == self.identity(other)
    }
}

/// What an account and a program tell. The prefix `system:` is Kubernetes' own, and no user's name may have it.
fn kind(user: &str, product: &str) -> Kind {
    if is_client(product) {
        Kind::Client
    } else if user.starts_with("system:") {
        Kind::Program
    } else {
        Kind::Unknown
    }
}

/// Whether a program is a client that asks for what somebody wants: `kubectl`, `kubectl-edit`, `Helm`.
fn is_client(product: &str) -> bool {
    let name = product.to_ascii_lowercase();
    name.starts_with("kubectl") || CLIENTS.contains(&name.as_str())
}

/// Whether a field manager is a controller by its name. Whoever applies may choose any other.
fn is_component(manager: &str) -> bool {
    let ends = ["controller", "operator", "manager", "scheduler", "apiserver"];
    manager == "kubelet" || ends.iter().any(|end| manager.ends_with(end))
}

/// The program in a user agent: `kubectl` of `kubectl/v1.34.4 (linux/amd64)`.
fn product(agent: &str) -> &str {
    agent.split(['/', ' ']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_and_a_program_tell_who_decides() {
        for (user, agent, expected) in [
            ("alice@example.com", "kubectl/v1.36.1 (linux/amd64)", Kind::Client),
            ("system:serviceaccount:ci:deployer", "Helm/4.3", Kind::Client),
            ("system:serviceaccount:ci:deployer", "helm-controller/v1.5.0", Kind::Program),
            ("system:serviceaccount:shop:operator", "OpenAPI-Generator/34.1.0/python", Kind::Program),
            ("system:kube-scheduler", "kube-scheduler/v1.36.1 (linux/amd64)", Kind::Program),
            ("alice@example.com", "main/v0.0.0 (linux/amd64)", Kind::Unknown),
            ("alice@example.com", "kubectl-argo-rollouts/v1.8", Kind::Client),
            ("system:masters", "", Kind::Program),
        ] {
            assert_eq!(kind(user, product(agent)), expected, "{user} with {agent}");
        }
    }
}
