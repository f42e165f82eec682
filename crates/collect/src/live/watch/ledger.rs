//! What was told of each resource: which objects are there, and up to which version. Pure.
//!
//! A list that follows a gap is compared with it, so that what happened meanwhile is told as what it is: an object that
//! is known in this version is nothing new, another version is a modification, one that is missing was deleted.

use std::collections::{BTreeMap, BTreeSet};

use clew_model::Time;
use clew_weave::fact::{Fact, Kind, ObjectState, Observation, Observed, Uid};
use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::told::Watched;
use crate::watch::ResourceKey;

/// The definitions of custom resources; their names are those of the resources.
const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

/// What was told of a cluster.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// When the cluster was first watched; what was made after that cannot have been there before.
    pub(super) began: Time,
    pub(super) accounts: BTreeMap<ResourceKey, Account>,
    pub(super) objects: usize,
    pub(super) most_objects: usize,
}

/// What was told of one resource.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Account {
    kind: Kind,
    /// Everything up to here was told.
    version: String,
    /// Whether it was listed to the end.
    complete: bool,
    /// Whether there are objects that did not fit.
    overflowed: bool,
    /// Whether it has, or had, a definition: then its objects go when that goes.
    defined: bool,
    #[serde(skip)]
    round: u32,
    pub(super) known: FxHashMap<Uid, Known>,
}

/// What is remembered of an object.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    version: u64,
    namespace: CompactString,
    name: CompactString,
    /// The list that saw it last.
    #[serde(skip)]
    round: u32,
}

impl Ledger {
    /// Where the watch of a resource can go on.
    pub(super) fn resume(&self, key: &ResourceKey) -> Option<String> {
        let account = self.accounts.get(key)?;
        (account.complete && !account.version.is_empty()).then(|| account.version.clone())
    }

    /// How many objects of a resource are known.
    pub(super) fn held(&self, key: &ResourceKey) -> usize {
        self.accounts.get(key).map_or(0, |account| account.known.len())
    }

    pub(super) fn begin_list(&mut self, watched: &Watched) {
        let account = self.account(watched);
        account.round = account.round.wrapping_add(1);
    }

    /// Notes an object version, and says what it is; false if it was told before.
    pub(super) fn observe(&mut self, watched: &Watched, observation: &mut Observation) -> bool {
        let (began, has_room) = (self.began, self.objects < self.most_objects);
        let account = self.account(watched);
        let state = &observation.state;
        if observation.observed != Observed::Listed && state.version > 0 {
            account.version = state.version.to_string();
        }
        if observation.observed == Observed::Deleted {
            let was_known = account.known.remove(&state.uid).is_some();
            self.objects -= usize::from(was_known);
            return true;
        }
        let former = account.known.get(&state.uid).map(|known| known.version);
        if observation.observed == Observed::Listed {
            if former == Some(state.version) {
                if let Some(known) = account.known.get_mut(&state.uid) {
                    known.round = account.round;
                }
                return false;
            }
            observation.observed = account.listed(former.is_some(), state.created, began);
        }
        if former.is_none() && !has_room {
            account.overflowed = true;
            return true;
        }
        let known = Known {
            version: state.version,
            namespace: state.namespace.clone(),
            name: state.name.clone(),
            round: account.round,
        };
        account.known.insert(state.uid.clone(), known);
        self.objects += usize::from(former.is_none());
        true
    }

    /// Everything up to a version was told.
    pub(super) fn reach(&mut self, watched: &Watched, version: &str) {
        version.clone_into(&mut self.account(watched).version);
    }

    /// A list has ended: what was known and not in it was deleted meanwhile.
    pub(super) fn end_list(&mut self, watched: &Watched, version: &str, time: Time) -> Vec<Fact> {
        let account = self.account(watched);
        version.clone_into(&mut account.version);
        account.complete = true;
        let round = account.round;
        let gone = account.take(|known| known.round != round, time);
        self.objects -= gone.len();
        gone
    }

    /// Resources that are no more since their definition was deleted: their objects are gone, too.
    pub(super) fn discovered(&mut self, found: &BTreeSet<ResourceKey>, time: Time) -> Vec<Fact> {
        let definitions = self.accounts.iter().find(|(key, _)| key.name == DEFINITIONS).map(|(_, account)| account);
        let Some(definitions) = definitions.filter(|account| account.complete && !account.overflowed) else {
            return Vec::new();
        };
        let defined: BTreeSet<CompactString> = definitions.known.values().map(|known| known.name.clone()).collect();
        let mut over = Vec::new();
        for (key, account) in &mut self.accounts {
            let is_defined = defined.contains(key.name.as_str());
            // An aggregated API may go without its objects.
            if account.defined && !is_defined && !found.contains(key) {
                over.push(key.clone());
            }
            account.defined |= is_defined;
        }
        let mut gone = Vec::new();
        for mut account in over.iter().filter_map(|key| self.accounts.remove(key)) {
            gone.extend(account.take(|_| true, time));
        }
        self.objects -= gone.len();
        gone
    }

    fn account(&mut self, watched: &Watched) -> &mut Account {
        let account = self.accounts.entry(watched.key.clone()).or_default();
        if account.kind != watched.kind {
            account.kind.clone_from(&watched.kind);
        }
        account
    }
}

impl Account {
    /// What a list's object is, in a version that was not told.
    fn listed(&self, is_known: bool, created: Option<Time>, began: Time) -> Observed {
        let was_missing = self.complete && !self.overflowed;
        let is_young = created.is_some_and(|created| created > began);
        match is_known {
            true => Observed::Modified,
            false if was_missing || is_young => Observed::Added,
            false => Observed::Listed,
        }
    }

    /// Takes out objects and tells their deletion.
    fn take(&mut self, is_gone: impl Fn(&Known) -> bool, time: Time) -> Vec<Fact> {
        let (kind, version) = (&self.kind, self.version.parse().unwrap_or(0));
        let gone = self.known.extract_if(|_, known| is_gone(known));
        let mut facts: Vec<Observation> = gone
            .map(|(uid, known)| Observation {
                time,
                observed: Observed::Deleted,
                state: ObjectState {
                    kind: kind.clone(),
                    namespace: known.namespace,
                    name: known.name,
                    uid,
                    version: version.max(known.version),
                    ..ObjectState::default()
                },
            })
            .collect();
        facts.sort_by(|one, other| one.state.uid.cmp(&other.state.uid));
        facts.into_iter().map(|observation| Fact::Observation(Box::new(observation))).collect()
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
