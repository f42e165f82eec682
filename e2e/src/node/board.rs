//! The board: what was started, how far it is, and the status file that tells it.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::components::Component;
use super::kubectl::Kubectl;
use super::probe::Probe;
use crate::cluster::{Part, Settings, State, Status};
use crate::folders::RunDir;
use crate::{Error, Result, shell};

const STEP: Duration = Duration::from_millis(50);
/// Lines of a component's log that its failure repeats.
const LOG_LINES: usize = 8;

/// All parts of one cluster.
pub(crate) struct Board<'a> {
    run: &'a RunDir,
    start: Instant,
    status: Status,
    running: Vec<Running>,
}

struct Running {
    name: &'static str,
    kind: Kind,
}

/// What a part is while it runs.
enum Kind {
    /// A component, ready when its probe passes; its end is a failure.
    Process(Child, Probe),
    /// Work in the background, ready when it is done.
    Work(JoinHandle<Result<()>>),
    /// Work that is done.
    Done,
}

impl<'a> Board<'a> {
    pub(crate) fn new(run: &'a RunDir, settings: &Settings) -> Self {
        Self { run, start: Instant::now(), status: Status::new(run, settings), running: Vec::new() }
    }

    /// Does one step of the set-up and notes how long it took.
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        self.add(name)?;
        work()?;
        self.mark_ready(name)
    }

    /// Starts a step of the set-up beside the others.
    pub(crate) fn begin(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<()> + Send + 'static,
    ) -> Result<()> {
        self.running.push(Running { name, kind: Kind::Work(std::thread::spawn(work)) });
        self.add(name)
    }

    /// Starts a component, with its output in its log.
    pub(crate) fn launch(&mut self, component: Component) -> Result<()> {
        let log = self.run.log(component.name);
        let output = File::create(&log).map_err(Error::file("create", &log))?;
        let errors = output.try_clone().map_err(Error::file("open", &log))?;
        let child = Command::new(&component.program)
            .args(&component.arguments)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(|source| Error::Start { program: component.program.display().to_string(), source })?;
        self.running.push(Running { name: component.name, kind: Kind::Process(child, component.probe) });
        self.add(component.name)
    }

    /// Waits until the named parts are ready; others that become ready meanwhile are noted too.
    pub(crate) fn until_ready(&mut self, names: &[&str], kubectl: &Kubectl) -> Result<()> {
        while !names.iter().all(|name| self.is(name, &State::Ready)) {
            self.look()?;
            self.fail_if_ended()?;
            for name in self.newly_ready(kubectl)? {
                self.mark_ready(name)?;
            }
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    fn newly_ready(&mut self, kubectl: &Kubectl) -> Result<Vec<&'static str>> {
        let mut ready = Vec::new();
        for running in &mut self.running {
            let starting = |part: &Part| part.name == running.name && part.state == State::Starting;
            if !self.status.parts.iter().any(starting) {
                continue;
            }
            if running.kind.is_ready(kubectl)? {
                ready.push(running.name);
            }
        }
        Ok(ready)
    }

    /// Waits until every part that was started is ready.
    pub(crate) fn until_all_ready(&mut self, kubectl: &Kubectl) -> Result<()> {
        let names: Vec<_> = self.running.iter().map(|running| running.name).collect();
        self.until_ready(&names, kubectl)
    }

    /// Waits until `condition` holds, unless a component ends first.
    pub(crate) fn until(&mut self, name: &str, mut condition: impl FnMut() -> bool) -> Result<()> {
        self.add(name)?;
        while !condition() {
            self.look()?;
            self.fail_if_ended()?;
            std::thread::sleep(STEP);
        }
        self.mark_ready(name)
    }

    /// Says that the cluster is up, or why it is not.
    pub(crate) fn conclude(&mut self, result: Result<()>) -> Result<()> {
        match result {
            Ok(()) => {
                self.status.ready = true;
                self.status.ready_after_ms = Some(self.now());
            }
            Err(error) => self.status.failure = Some(error.to_string()),
        }
        self.status.write(self.run)
    }

    /// Notes which components ended since the last look.
    pub(crate) fn look(&mut self) -> Result<()> {
        let mut ended = Vec::new();
        for running in &mut self.running {
            let Kind::Process(child, _) = &mut running.kind else {
                continue;
            };
            if let Ok(Some(status)) = child.try_wait() {
                ended.push((running.name, status.to_string()));
            }
        }
        for (name, status) in ended {
            self.set(name, State::Exited(status))?;
        }
        Ok(())
    }

    fn fail_if_ended(&self) -> Result<()> {
        for part in &self.status.parts {
            if let State::Exited(status) = &part.state {
                let output = shell::tail(&self.run.log(&part.name), LOG_LINES);
                return Err(Error::Failed { program: part.name.clone(), status: status.clone(), output });
            }
        }
        Ok(())
    }

    fn is(&self, name: &str, state: &State) -> bool {
        self.status.parts.iter().any(|part| part.name == name && part.state == *state)
    }

    fn add(&mut self, name: &str) -> Result<()> {
        let started_ms = self.now();
        self.status.parts.push(Part { name: name.to_owned(), state: State::Starting, started_ms, took_ms: None });
        self.status.write(self.run)
    }

    fn mark_ready(&mut self, name: &str) -> Result<()> {
        let now = self.now();
        if let Some(part) = self.status.parts.iter_mut().find(|part| part.name == name) {
            part.took_ms = Some(now.saturating_sub(part.started_ms));
        }
        self.set(name, State::Ready)
    }

    fn set(&mut self, name: &str, state: State) -> Result<()> {
        let part = self.status.parts.iter_mut().find(|part| part.name == name && part.state != state);
        let Some(part) = part else { return Ok(()) };
        part.state = state;
        self.status.write(self.run)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Kind {
    fn is_ready(&mut self, kubectl: &Kubectl) -> Result<bool> {
        match self {
            Self::Process(_, probe) => Ok(probe.passes(kubectl)),
            Self::Work(work) if !work.is_finished() => Ok(false),
            Self::Work(_) => {
                let Self::Work(work) = std::mem::replace(self, Self::Done) else {
                    return Ok(true);
                };
                work.join().unwrap_or_else(|_| Err(Error::Unfit("a step of the set-up panicked".to_owned())))?;
                Ok(true)
            }
            Self::Done => Ok(true),
        }
    }
}
