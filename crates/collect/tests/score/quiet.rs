//! Scenes of quiet namespaces, in which the truth needs no opinion: each namespace is quiet before the next action that
//! concerns it, so the last action there is the cause of what follows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use clew_model::Time;
use clew_weave::Journey;
use serde_json::Value;

use super::audit::{Recording, Write, text};
use super::labels;

/// How much longer than a creation time, which has whole seconds, an older pod may have been there.
const SECOND: i64 = 1_000_000_000;

/// What somebody did, in the cluster or outside.
struct Cause {
    at: Time,
    /// The audit id, or the name of a push.
    id: String,
    /// Whether no request in the cluster shows it.
    external: bool,
}

/// What a scene's writes should hang on, and what they hang on.
pub(crate) struct Quiet {
    pub(crate) scored: usize,
    pub(crate) misses: Vec<String>,
    /// Actions that began no journey.
    pub(crate) lost: Vec<String>,
    /// Requests that count as somebody's, and are nobody's action.
    pub(crate) extra: Vec<String>,
}

impl Quiet {
    pub(crate) fn of(recording: &Recording, journeys: &[Journey]) -> Self {
        let causes = causes(recording);
        let placed: HashMap<String, &Journey> = journeys
            .iter()
            .flat_map(|journey| journey.writes.iter().map(move |id| (id.to_string(), journey)))
            .collect();
        let scored = scored(recording, &causes);
        let pushes = journeys_of_pushes(&scored, &placed);
        let mut quiet = Self { scored: scored.len(), misses: Vec::new(), lost: Vec::new(), extra: Vec::new() };
        for (write, cause) in &scored {
            let journey = placed.get(&write.id);
            let is_right = journey.is_some_and(|journey| {
                let began = journey.start.saturating_add(SECOND) >= cause.at;
                let of_push = pushes.get(cause.id.as_str()) == Some(&journey.journey.to_string());
                if cause.external { began && of_push } else { root_id(journey) == cause.id }
            });
            if !is_right {
                quiet.misses.push(miss(write, journey.copied(), cause, recording));
            }
        }
        quiet.roots(recording, journeys);
        quiet
    }

    fn roots(&mut self, recording: &Recording, journeys: &[Journey]) {
        let roots: HashSet<String> = journeys.iter().map(root_id).collect();
        let lost = recording.actions.iter().filter(|action| !action.id.is_empty() && !roots.contains(&action.id));
        self.lost = lost.map(|action| format!("{} by {}", action.what, action.user)).collect();
        let actions: HashSet<&str> = recording.actions.iter().map(|action| action.id.as_str()).collect();
        let requests = journeys.iter().filter(|journey| journey.root.kind == clew_weave::RootKind::Request);
        let extra = requests.filter(|journey| !actions.contains(root_id(journey).as_str()));
        self.extra = extra.map(named).collect();
    }

    /// The share of right writes, in per cent.
    #[expect(clippy::cast_precision_loss, reason = "a share of some hundreds")]
    pub(crate) fn percent(&self) -> f64 {
        100.0 * (self.scored - self.misses.len()) as f64 / self.scored.max(1) as f64
    }

    /// For people: the score in a line, then what is wrong.
    pub(crate) fn text(&self, title: &str) -> String {
        let Self { scored, lost, extra, .. } = self;
        let (lost_count, extra_count) = (lost.len(), extra.len());
        let mut text = format!(
            "{title:<24} {:>6.2} % of {scored:>3} writes right, {lost_count} actions are no root, {extra_count} roots are no action\n",
            self.percent()
        );
        let lost = lost.iter().map(|line| format!("no root: {line}"));
        let extra = extra.iter().map(|line| format!("no action: {line}"));
        for line in lost.chain(extra).chain(self.misses.iter().cloned()) {
            let _ = writeln!(text, "    {line}");
        }
        text
    }
}

/// The actions that concern each namespace, in the order of time.
fn causes(recording: &Recording) -> HashMap<String, Vec<Cause>> {
    let mut causes: HashMap<String, Vec<Cause>> = HashMap::new();
    for action in &recording.actions {
        let about = recording.concerns.get(&format!("{}/{}", action.resource, action.name));
        let own = if action.resource == "namespaces" { &action.name } else { &action.namespace };
        let concerns = if action.concerns.is_empty() { about.unwrap_or(own) } else { &action.concerns };
        for namespace in concerns.split_whitespace() {
            let external = action.id.is_empty();
            let id = if external { action.what.clone() } else { action.id.clone() };
            causes.entry(namespace.to_owned()).or_default().push(Cause { at: action.at, id, external });
        }
    }
    for causes in causes.values_mut() {
        causes.sort_by_key(|cause| cause.at);
    }
    causes
}

/// The writes that altered an object outside its status, by what the audit log says of its versions.
pub(crate) fn changes(recording: &Recording) -> Vec<&Write> {
    let mut specs: HashMap<String, String> = HashMap::new();
    let mut changes = Vec::new();
    for write in recording.writes.iter().filter(|write| !write.refused && !write.dry) {
        let uid = text(&write.response, "/metadata/uid");
        let spec = text_of(&write.response, "/spec") + &text_of(&write.response, "/data");
        let former = specs.insert(uid.to_owned(), spec.clone());
        let altered = former.is_some_and(|former| former != spec) && write.subresource.is_empty();
        let made = write.verb == "create" && write.subresource.is_empty();
        if !uid.is_empty() && text(&write.response, "/kind") != "Status" && (altered || made) {
            changes.push(write);
        }
    }
    changes.retain(|write| !write.group.starts_with("auth"));
    changes
}

fn text_of(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).map(ToString::to_string).unwrap_or_default()
}

/// The writes whose cause is known, each with it.
fn scored<'a>(recording: &'a Recording, causes: &'a HashMap<String, Vec<Cause>>) -> Vec<(&'a Write, &'a Cause)> {
    let people: HashSet<&str> = recording.actions.iter().map(|action| action.user.as_str()).collect();
    let mut versions: HashMap<String, String> = HashMap::new();
    let mut scored = Vec::new();
    for write in &recording.writes {
        let part = |pointer| text(&write.response, pointer).to_owned();
        let (uid, version) = (part("/metadata/uid"), part("/metadata/resourceVersion"));
        // An apply that changed nothing leaves the version as it was.
        let is_idle = !uid.is_empty() && versions.insert(uid, version.clone()) == Some(version);
        let namespace = labels::namespace(write);
        let left_out = is_idle || write.dry || people.contains(write.user.as_str()) || namespace == "kube-system";
        if left_out
            || namespace.is_empty()
            || write.not_found
            || write.group.starts_with("authori")
            || write.group.starts_with("authen")
        {
            continue;
        }
        let Some(cause) = causes.get(namespace).and_then(|all| all.iter().rev().find(|cause| cause.at <= write.at))
        else {
            continue;
        };
        let made = Time::parse_bytes(part("/metadata/creationTimestamp").as_bytes()).ok();
        // What an older pod does goes on by itself.
        let is_old = made.is_some_and(|made| made.saturating_add(SECOND) < cause.at);
        if !(write.user.starts_with("system:node:") && is_old) {
            scored.push((write, cause));
        }
    }
    scored
}

/// The journey that holds most of what each push caused.
fn journeys_of_pushes(scored: &[(&Write, &Cause)], placed: &HashMap<String, &Journey>) -> HashMap<String, String> {
    let mut counts: HashMap<String, BTreeMap<String, usize>> = HashMap::new();
    for (write, cause) in scored.iter().filter(|(_, cause)| cause.external) {
        let Some(journey) = placed.get(&write.id) else { continue };
        *counts.entry(cause.id.clone()).or_default().entry(journey.journey.to_string()).or_default() += 1;
    }
    let most = |counts: BTreeMap<String, usize>| counts.into_iter().max_by_key(|(_, count)| *count).map(|(id, _)| id);
    counts.into_iter().filter_map(|(push, counts)| Some((push, most(counts)?))).collect()
}

fn root_id(journey: &Journey) -> String {
    journey.root.audit.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn named(journey: &Journey) -> String {
    let root = &journey.root;
    let user = root.user.rsplit(':').next().unwrap_or_default();
    format!("{} {}/{} {}/{} by {user}", root.verb, root.resource, root.subresource, root.namespace, root.name)
}

fn miss(write: &Write, journey: Option<&Journey>, cause: &Cause, recording: &Recording) -> String {
    let user = write.user.rsplit(':').next().unwrap_or_default();
    let got = journey
        .map_or_else(|| "no journey".to_owned(), |journey| format!("{:?} {}", journey.root.kind, named(journey)));
    let action = recording.actions.iter().find(|action| action.id == cause.id);
    let wanted = action.map_or(cause.id.as_str(), |action| action.what.as_str());
    format!("{} {user} {} | sits in: {got} | wanted: {wanted}", write.at, write.what())
}

/// What a scene says of custom resources elsewhere: which namespaces each is about.
pub(crate) fn concerns(path: &std::path::Path) -> Option<HashMap<String, String>> {
    let text = std::fs::read_to_string(path.join("concerns.json")).ok()?;
    let concerns: HashMap<String, Value> = serde_json::from_str(&text).expect("what custom resources are about");
    Some(concerns.into_iter().map(|(name, value)| (name, value.as_str().unwrap_or_default().to_owned())).collect())
}
