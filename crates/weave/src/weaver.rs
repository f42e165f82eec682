//! The weaver: facts in, journeys out.

use std::collections::BTreeSet;
use std::sync::Arc;

use clew_model::{Attributes, CommandId, Time, TraceId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::actor::ActorId;
use crate::command::FirstRoots;
use crate::config::Config;
use crate::fact::Fact;
use crate::journey::Builder;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::output::{Journey, State, Upserts};
use crate::segment::Segments;
use crate::settle::Settling;
use crate::step::{Cause, Effect, RootKind, Step, StepId};

/// Joins facts into journeys.
///
/// [`Weaver::apply`] takes facts, [`Weaver::advance`] gives out what changed. Causes are looked for in batches, on
/// `advance` or when [`Config::batch`] facts have come. The result depends on the set of facts alone, not on their
/// order, nor on where the batches end.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Weaver {
    config: Config,
    pub(crate) memory: Memory,
    pub(crate) segments: Segments,
    pub(crate) stats: Stats,
    /// The latest time that a fact or the caller told of.
    now: Time,
    pending: usize,
    touched: FxHashSet<ObjectId>,
    revealed: FxHashSet<ActorId>,
    /// The steps of each journey, by its root.
    pub(crate) journeys: FxHashMap<StepId, Vec<StepId>>,
    /// The id, the state and the last movement of each journey that was given out.
    pub(crate) known: FxHashMap<StepId, Known>,
    /// The roots that each writer asked for, by time.
    pub(crate) roots: FxHashMap<ActorId, BTreeSet<(Time, StepId)>>,
    /// Steps whose cause has no cause yet: they are filed when it is known.
    rootless: FxHashSet<StepId>,
    /// Journeys to be built again.
    pub(crate) dirty: FxHashSet<StepId>,
    /// Steps without a cause, which are forgotten after a while.
    pub(crate) background: std::collections::VecDeque<StepId>,
}

/// What is remembered of a journey that was built.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) id: TraceId,
    pub(crate) state: State,
    pub(crate) end: Time,
    /// Whether it was held back: nobody has it, so that nobody need drop it.
    silent: bool,
}

/// What came in and what is held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Facts taken.
    pub facts: u64,
    /// Native spans taken.
    pub native_spans: u64,
    /// Journeys in memory.
    pub journeys: usize,
    /// Objects in memory.
    pub objects: usize,
    /// Steps in memory.
    pub steps: usize,
    /// Native traces in memory.
    pub segments: usize,
    /// Native traces in memory that no journey holds.
    pub background: usize,
    /// Writes in memory that no journey holds: refused requests of people, bookkeeping.
    pub unplaced: usize,
    /// Native spans that did not fit.
    pub dropped: u64,
}

impl Weaver {
    /// A weaver with these settings.
    pub fn new(config: Config) -> Self {
        Self { config, ..Self::default() }
    }

    /// Adds a fact, and finds causes when a batch is full; what changed is given out by [`Weaver::advance`], since a
    /// journey costs far more to build than a fact to place.
    pub fn apply(&mut self, fact: Fact) {
        self.stats.facts += 1;
        self.take(fact);
        self.pending += 1;
        if self.pending >= self.config.batch {
            self.weave();
        }
    }

    /// Finds causes, and says what changed up to now.
    pub fn advance(&mut self, now: Time) -> Upserts {
        self.now = self.now.max(now);
        self.note_stillness();
        self.weave();
        let upserts = self.give_out();
        self.forget();
        upserts
    }

    /// Has [`Weaver::advance`] give out every journey in memory again: whoever kept them may have lost them in a crash.
    pub fn repeat(&mut self) {
        self.dirty.extend(self.journeys.keys());
    }

    /// The latest time that a fact told of.
    pub fn now(&self) -> Time {
        self.now
    }

    /// What came in and what is held.
    pub fn stats(&self) -> Stats {
        let joined: FxHashSet<TraceId> = self.known.keys().flat_map(|root| self.segments_of(*root)).collect();
        Stats {
            journeys: self.journeys.len(),
            objects: self.memory.live_objects(),
            steps: self.memory.live_steps(),
            segments: self.segments.len(),
            background: self.segments.len().saturating_sub(joined.len()),
            unplaced: self.memory.unplaced_writes(),
            dropped: self.segments.dropped,
            ..self.stats
        }
    }

    fn take(&mut self, fact: Fact) {
        match fact {
            Fact::Write(write) => {
                self.now = self.now.max(write.done);
                let touched = self.memory.write(&write);
                self.note(touched);
            }
            Fact::Observation(observation) => {
                self.now = self.now.max(observation.time);
                let touched = self.memory.observe(*observation);
                self.note(touched);
            }
            Fact::Event(event) => {
                self.now = self.now.max(event.time);
                self.touched.extend(self.memory.happened(*event));
            }
            Fact::Native(spans) => {
                self.stats.native_spans += u64::from(spans.spans);
                let keys = self.segments.add(&spans);
                self.touch_pod(keys.pod.as_ref());
                let steps = keys.audit.map(|audit| self.memory.steps_of_audit(&audit).to_vec());
                self.touched.extend(steps.iter().flatten().map(|id| self.memory.step(*id).object));
            }
            Fact::Cri(call) => {
                self.segments.learn(&call);
                self.touched.extend(self.memory.called(*call));
            }
            Fact::Admission(admission) => self.memory.admitted(&admission),
            Fact::Step(step) => {
                self.memory.commanded(&step);
                let steps = self.memory.contexts.get(&step.trace).into_iter().flatten();
                self.touched.extend(steps.map(|id| self.memory.step(*id).object));
            }
        }
    }

    fn note(&mut self, touched: crate::ingest::Touched) {
        self.touched.extend(touched.objects);
        self.revealed.extend(touched.revealed);
    }

    fn touch_pod(&mut self, pod: Option<&crate::fact::Uid>) {
        self.touched.extend(pod.and_then(|pod| self.memory.find_object(pod)));
    }

    fn weave(&mut self) {
        self.pending = 0;
        let mut settling = Settling::default();
        self.touched.extend(self.memory.resolve_names());
        let mut touched: Vec<ObjectId> = self.touched.drain().collect();
        touched.sort_unstable();
        for object in &touched {
            settling.touch(&mut self.memory, *object);
        }
        for actor in std::mem::take(&mut self.revealed) {
            settling.reveal(&mut self.memory, actor);
        }
        settling.run(&mut self.memory);
        self.regroup(&settling.moved);
        for object in touched {
            let steps = self.memory.object(object).steps.iter().map(|id| self.memory.step(*id));
            self.dirty.extend(steps.filter_map(|step| step.journey));
        }
    }

    /// Files moved steps, and what hangs on them, under their journeys.
    fn regroup(&mut self, moved: &FxHashSet<StepId>) {
        let mut stale: Vec<StepId> = moved.iter().copied().collect();
        stale.extend(self.rootless.drain().filter(|id| self.memory.find_step(*id).is_some()));
        let former: FxHashSet<StepId> = moved.iter().filter_map(|id| self.memory.step(*id).journey).collect();
        self.dirty.extend(&former);
        for root in former {
            stale.extend(self.journeys.get(&root).into_iter().flatten());
        }
        for id in stale {
            let root = self.memory.root(id);
            self.file(id, root);
            match self.memory.step(id).cause {
                Cause::None => self.background.push_back(id),
                Cause::Step(..) if root.is_none() => drop(self.rootless.insert(id)),
                Cause::Root(_) | Cause::Step(..) => {}
            }
        }
    }

    fn file(&mut self, id: StepId, root: Option<StepId>) {
        let former = self.memory.step(id).journey;
        if former == root {
            return;
        }
        if let Some(former) = former {
            self.dirty.insert(former);
            if let Some(steps) = self.journeys.get_mut(&former) {
                steps.retain(|other| *other != id);
            }
        }
        if let Some(root) = root {
            self.dirty.insert(root);
            self.journeys.entry(root).or_default().push(id);
        }
        self.memory.step_mut(id).journey = root;
    }

    /// Builds the journeys that changed.
    fn give_out(&mut self) -> Upserts {
        let mut upserts = Upserts::default();
        let mut dirty: Vec<StepId> = self.dirty.drain().collect();
        for root in &dirty {
            self.file_root(*root);
        }
        dirty.extend(self.dirty.drain());
        dirty.sort_by_key(|id| (self.memory.find_step(*id).map(|step| step.time), *id));
        dirty.dedup();
        let resource = Arc::new(self.resource());
        let mut firsts = FirstRoots::default();
        for root in dirty {
            let command = self.memory.find_step(root).and_then(|_| self.command_of(root, &mut firsts));
            self.give_out_one(root, command, &resource, &mut upserts);
        }
        upserts
    }

    fn give_out_one(
        &mut self,
        root: StepId,
        command: Option<CommandId>,
        resource: &Arc<Attributes>,
        upserts: &mut Upserts,
    ) {
        let is_root = self.memory.find_step(root).is_some_and(|step| matches!(step.cause, Cause::Root(_)));
        let steps = self.journeys.get(&root).filter(|steps| is_root && !steps.is_empty()).cloned();
        let Some(steps) = steps else {
            self.journeys.remove(&root);
            upserts.retired.extend(self.known.remove(&root).filter(|known| !known.silent).map(|known| known.id));
            return;
        };
        let id = self.memory.journey_id(&self.config.cluster, root);
        let built = Builder {
            memory: &self.memory,
            segments: &self.segments,
            config: &self.config,
            now: self.now,
            resource: Arc::clone(resource),
            root,
            id,
            steps,
            command,
        }
        .build();
        let silent = self.is_silent(root, &built.journey);
        let known = Known { id, state: built.journey.state, end: built.journey.end, silent };
        if let Some(former) = self.known.insert(root, known)
            && !former.silent
            && (former.id != id || silent)
        {
            upserts.retired.push(former.id);
        }
        if silent {
            return;
        }
        upserts.journeys.push(built.journey);
        upserts.spans.extend(built.spans);
        upserts.edges.extend(built.edges);
    }

    /// Whether a journey is no more than what a controller said of one object by itself, from which nothing followed:
    /// a heartbeat in other words.
    fn is_silent(&self, root: StepId, journey: &Journey) -> bool {
        let reports = self.memory.step(root).effect == Effect::Reported;
        let is_own = journey.root.kind == RootKind::External && journey.root.revision.is_none();
        let mut steps = self.journeys.get(&root).into_iter().flatten().map(|id| self.memory.step(*id));
        reports && is_own && !steps.any(Step::is_change)
    }

    fn resource(&self) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.push("service.name", "kubernetes");
        attributes.push("k8s.cluster.name", self.config.cluster.as_str());
        attributes
    }

    /// Looks again at open journeys in which nothing has moved for too long.
    fn note_stillness(&mut self) {
        let still = self
            .known
            .iter()
            .filter(|(_, known)| known.state == State::Open && self.now.since(known.end) >= self.config.stuck_after);
        self.dirty.extend(still.map(|(root, _)| *root));
    }

    fn segments_of(&self, root: StepId) -> Vec<TraceId> {
        let steps = self.journeys.get(&root).into_iter().flatten().map(|id| self.memory.step(*id));
        let mut traces = Vec::new();
        for step in steps {
            traces.extend(step.audit.iter().flat_map(|audit| self.segments.of_audit(audit)));
            if step.is_change() {
                let uid = &self.memory.object(step.object).uid;
                traces.extend(self.segments.of_pod(uid).into_iter().map(|(trace, _)| trace));
            }
        }
        traces
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }
}
