//! How a journey stands, and what it waits on.

use clew_model::Time;

use crate::output::{State, WaitingOn};
use crate::step::Effect;

use super::{Builder, Part};

/// How a journey stands.
pub(super) struct Standing {
    pub(super) state: State,
    pub(super) waiting_on: Option<WaitingOn>,
    pub(super) end: Time,
}

impl Builder<'_> {
    pub(super) fn standing(&self, parts: &[Part]) -> Standing {
        let moved = self.steps.iter().map(|id| self.memory.step(*id).done).max().unwrap_or(self.now);
        let open: Vec<&Part> = parts.iter().filter(|part| part.end.is_none()).collect();
        let failed = parts.iter().filter(|part| part.failed.is_some()).max_by_key(|part| self.weight(part));
        if let Some(part) = failed {
            let end = part.failed.unwrap_or(moved);
            return Standing { state: State::Failed, waiting_on: Some(self.waiting_on(part)), end };
        }
        let Some(waits) = open.into_iter().max_by_key(|part| self.weight(part)) else {
            let end = parts.iter().filter_map(|part| part.end).max().unwrap_or(moved);
            return Standing { state: State::Converged, waiting_on: None, end };
        };
        let still = self.now.since(moved) >= self.config.stuck_after;
        let state = if still { State::Stuck } else { State::Open };
        Standing { state, waiting_on: Some(self.waiting_on(waits)), end: moved }
    }

    /// The further down an object is, the better it knows what is wrong.
    fn weight(&self, part: &Part) -> (u8, bool) {
        let object = self.memory.object(part.object);
        let tells = object.progress.reason().is_some_and(|reason| !reason.message.is_empty());
        let rank = match self.memory.symbols.text(object.resource) {
            "pods" => 4,
            "persistentvolumeclaims" => 3,
            "replicasets" | "jobs" | "replicationcontrollers" => 2,
            "deployments" | "statefulsets" | "daemonsets" => 1,
            _ => 0,
        };
        (rank, tells)
    }

    fn waiting_on(&self, part: &Part) -> WaitingOn {
        let record = self.memory.object(part.object);
        let label = self.label(part.object);
        let object = self.journey_object(part.object);
        if self.memory.step(part.last).effect == Effect::Deleted {
            let held = record.finalizers.join(", ");
            let why =
                if held.is_empty() { "it is not gone yet".to_owned() } else { format!("finalizers hold it: {held}") };
            return WaitingOn {
                reason: "Terminating".into(),
                message: format!("{label} is being deleted: {why}"),
                object,
            };
        }
        let Some(reason) = record.progress.reason() else {
            return WaitingOn { reason: "InProgress".into(), message: format!("{label} has not converged"), object };
        };
        let words = self.telling_event(part).unwrap_or_else(|| reason.message.to_string());
        let message = if words.is_empty() {
            format!("{label}: {}", reason.reason)
        } else {
            format!("{label}: {}: {words}", reason.reason)
        };
        WaitingOn { reason: reason.reason.clone(), message, object }
    }

    /// The last warning about an object, where its status says less than that.
    fn telling_event(&self, part: &Part) -> Option<String> {
        let record = self.memory.object(part.object);
        if record.progress.reason().is_some_and(|reason| reason.message.len() > 40) {
            return None;
        }
        let last = record.events.iter().filter(|event| event.warning).max_by_key(|event| event.time)?;
        Some(last.message.to_string())
    }
}
