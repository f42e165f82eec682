//! The facts of many deployments, interleaved in time.

use clew_model::Time;
use clew_weave::fact::{Effect, Fact};

use crate::schedule::Schedule;
use crate::seed::Seed;
use crate::vary::{Vary, around, shown};

/// The facts of one stretch of time.
#[derive(Debug)]
pub struct Burst {
    /// The end of the stretch.
    pub now: Time,
    /// What was reported in it, in the order of time.
    pub facts: Vec<Fact>,
}

/// Many independent copies of one deployment's history, made a stretch of time at a time: as a whole they would not
/// fit into memory.
#[derive(Debug)]
pub struct History<'a> {
    seed: &'a Seed,
    schedule: &'a Schedule,
    interval: i64,
    now: Time,
    /// The copies that have begun and not ended, each with its next fact.
    running: Vec<(Vary<'a>, u32, usize)>,
    next_copy: u32,
    next_of_cluster: usize,
}

impl Seed {
    /// When each of many copies of this history happens.
    pub fn schedule(&self, copies: u32, stagger: i64) -> Schedule {
        let facts = self.cluster.iter().chain(&self.deployment);
        let versions = facts.filter_map(|(time, fact)| Some((version(fact)?, *time)));
        Schedule::new(copies, stagger, self.begin(), versions)
    }
}

/// The version that a fact shows.
fn version(fact: &Fact) -> Option<u64> {
    let scaled = match fact {
        Fact::Write(write) => match &write.effect {
            Effect::Scaled { version, .. } => Some(*version),
            _ => None,
        },
        _ => None,
    };
    scaled.or_else(|| shown(fact).map(|state| state.version)).filter(|version| *version > 0)
}

impl<'a> History<'a> {
    /// The history in stretches of `interval` nanoseconds.
    pub fn new(seed: &'a Seed, schedule: &'a Schedule, interval: i64) -> Self {
        let now = schedule.begin();
        Self { seed, schedule, interval, now, running: Vec::new(), next_copy: 0, next_of_cluster: 0 }
    }

    fn begin_copies(&mut self) {
        let first = self.seed.deployment.first().map_or(Time::MAX, |(time, _)| *time);
        while self.next_copy < self.schedule.copies && self.schedule.time(first, self.next_copy) < self.now {
            let facts = self.seed.deployment.iter().map(|(_, fact)| fact);
            self.running.push((Vary::new(self.schedule, self.next_copy, facts), self.next_copy, 0));
            self.next_copy += 1;
        }
    }

    fn of_cluster(&mut self, facts: &mut Vec<(Time, Fact)>) {
        while let Some((time, fact)) = self.seed.cluster.get(self.next_of_cluster).filter(|(time, _)| *time < self.now)
        {
            facts.push((*time, around(fact, self.schedule)));
            self.next_of_cluster += 1;
        }
    }

    fn of_copies(&mut self, facts: &mut Vec<(Time, Fact)>) {
        let Self { seed, schedule, now, .. } = *self;
        for (vary, copy, next) in &mut self.running {
            while let Some((time, fact)) = seed.deployment.get(*next) {
                let time = schedule.time(*time, *copy);
                if time >= now {
                    break;
                }
                facts.push((time, vary.fact(fact)));
                *next += 1;
            }
        }
        self.running.retain(|(_, _, next)| *next < seed.deployment.len());
    }
}

impl Iterator for History<'_> {
    type Item = Burst;

    fn next(&mut self) -> Option<Burst> {
        let ended = self.running.is_empty() && self.next_copy >= self.schedule.copies;
        if ended && self.next_of_cluster >= self.seed.cluster.len() {
            return None;
        }
        self.now = self.now.saturating_add(self.interval);
        self.begin_copies();
        let mut facts = Vec::new();
        self.of_cluster(&mut facts);
        self.of_copies(&mut facts);
        facts.sort_by_key(|(time, _)| *time);
        Some(Burst { now: self.now, facts: facts.into_iter().map(|(_, fact)| fact).collect() })
    }
}
