//! A watch that goes into a capture: one line for each object version.

use std::sync::Arc;

use super::line::line;
use super::output::{Ended, Output, OutputOfOne, Seen};
use super::resource::Resource;
use super::step::Outcome;
use crate::record::Context;

/// The output of a recording.
#[derive(Clone)]
pub(crate) struct Recorded(pub(crate) Arc<Context>);

/// The output of one resource of a recording.
pub(crate) struct RecordedOne {
    context: Arc<Context>,
    resource: Resource,
    /// What stands in the way, once it was told.
    told: Option<Outcome>,
}

impl Output for Recorded {
    type One = RecordedOne;

    fn of(&self, resource: &Resource) -> RecordedOne {
        RecordedOne { context: Arc::clone(&self.0), resource: resource.clone(), told: None }
    }

    async fn discovered(&self, _found: &[Resource]) -> Result<(), Ended> {
        Ok(())
    }

    fn watching(&self, resources: usize) {
        self.0.queue.counts().set_watched(resources);
    }

    fn unreachable(&self, why: &str) {
        self.0.notice(format!("the cluster does not answer, trying on: {why}"));
    }

    fn has_begun(&self, resources: usize) {
        self.0.notice(format!("has listed all {resources} resources, and sees every change from here on"));
    }
}

impl OutputOfOne for RecordedOne {
    /// A recording begins with what is there.
    async fn resume(&self) -> Option<String> {
        None
    }

    async fn list_begins(&mut self) -> Result<(), Ended> {
        Ok(())
    }

    async fn keep(&mut self, seen: Seen<'_>) -> Result<(), Ended> {
        let Context { queue, redactor, .. } = self.context.as_ref();
        match line(redactor, &self.resource, seen) {
            Ok(line) => queue.send(line).await.map_err(|_| Ended)?,
            Err(_) => queue.count_bad(1),
        }
        Ok(())
    }

    async fn reached(&mut self, _version: &str, _list_ended: bool) -> Result<(), Ended> {
        Ok(())
    }

    fn count_bad(&self, lines: u64) {
        self.context.queue.count_bad(lines);
    }

    /// Tells what stands in the way, once until it changes.
    fn outcome(&mut self, outcome: &Outcome) {
        let path = &self.resource.path;
        let text = match outcome {
            Outcome::Forbidden => format!("{path} is forbidden: it is left out until it is not"),
            Outcome::Failed => format!("{path} cannot be watched, trying on"),
            _ => {
                self.told = None;
                return;
            }
        };
        if self.told.as_ref() != Some(outcome) {
            self.context.notice(text);
            self.told = Some(outcome.clone());
        }
    }
}
