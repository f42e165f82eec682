//! The score of journeys against the labels, with every miss.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use clew_weave::{Journey, RootKind};

use super::audit::{Recording, Write};
use super::history::{Causes, TIMER};
use super::labels::Labels;

/// Where a write was placed: the cause as the labels name it, none where the root is neither.
pub(crate) type Placed = HashMap<String, Option<String>>;

/// What a scoring found.
pub(crate) struct Report {
    pub(crate) scored: usize,
    pub(crate) misses: Vec<String>,
    /// Actions that are no roots, and roots that are no actions.
    pub(crate) wrong_roots: Vec<String>,
    only_cause: usize,
    unknown: usize,
}

impl Report {
    /// Scores a placement of writes, without looking at roots.
    pub(crate) fn of_placement(recording: &Recording, labels: &Labels, placed: &Placed) -> Self {
        let mut report = Self { scored: 0, misses: Vec::new(), wrong_roots: Vec::new(), only_cause: 0, unknown: 0 };
        let names = names(recording);
        for write in &recording.writes {
            let expected = &labels.expected[&write.id];
            if expected.is_empty() {
                report.unknown += 1;
                continue;
            }
            report.scored += 1;
            report.only_cause += usize::from(expected.len() == 1);
            let got = placed.get(&write.id).cloned().flatten();
            if got.as_ref().is_none_or(|got| !expected.contains(got)) {
                report.misses.push(miss(write, got.as_deref(), expected, &names));
            }
        }
        report
    }

    /// Scores journeys: the places of their writes, and their roots.
    pub(crate) fn of(recording: &Recording, labels: &Labels, journeys: &[Journey]) -> Self {
        let mut report = Self::of_placement(recording, labels, &placed(journeys));
        let names = names(recording);
        let roots: Vec<_> = journeys.iter().map(|journey| &journey.root).collect();
        let asked: Vec<_> = roots.iter().filter(|root| root.kind == RootKind::Request).collect();
        let ids: BTreeSet<String> =
            asked.iter().filter_map(|root| root.audit.as_ref()).map(ToString::to_string).collect();
        for action in &recording.actions {
            if !ids.contains(&action.id) && !labels.idle.contains(&action.id) {
                report.wrong_roots.push(format!("no root: {}", action.what));
            }
        }
        for root in asked {
            let id = root.audit.as_ref().map(ToString::to_string).unwrap_or_default();
            if !names.contains_key(id.as_str()) {
                let what = format!("{} {} {}/{}", root.verb, root.resource, root.namespace, root.name);
                report.wrong_roots.push(format!("no action: {what} by {}", root.user));
            }
        }
        report
    }

    /// The share of right writes, in per cent.
    #[expect(clippy::cast_precision_loss, reason = "a share of some hundreds")]
    pub(crate) fn percent(&self) -> f64 {
        100.0 * (self.scored - self.misses.len()) as f64 / self.scored.max(1) as f64
    }

    /// For people: the score in a line, then what is wrong.
    pub(crate) fn text(&self, title: &str) -> String {
        let Self { scored, only_cause, unknown, .. } = self;
        let roots = if self.wrong_roots.is_empty() { "exact" } else { "wrong" };
        let mut text = format!(
            "{title:<24} {:>6.2} % of {scored:>3} writes right ({only_cause} have one possible cause, {unknown} not scored), roots {roots}\n",
            self.percent()
        );
        for line in self.wrong_roots.iter().chain(&self.misses) {
            let _ = writeln!(text, "    {line}");
        }
        text
    }
}

fn placed(journeys: &[Journey]) -> Placed {
    let mut placed = Placed::new();
    for journey in journeys {
        let cause = match journey.root.kind {
            RootKind::Request => journey.root.audit.as_ref().map(ToString::to_string),
            RootKind::Timer => Some(TIMER.to_owned()),
            RootKind::External => None,
        };
        for write in &journey.writes {
            let before = placed.insert(write.to_string(), cause.clone());
            assert!(before.is_none(), "{write} sits in two journeys");
        }
    }
    placed
}

fn names(recording: &Recording) -> HashMap<&str, &str> {
    recording.actions.iter().map(|action| (action.id.as_str(), action.what.as_str())).collect()
}

fn miss(write: &Write, got: Option<&str>, expected: &Causes, names: &HashMap<&str, &str>) -> String {
    // Several actions may read the same: the beginning of the id tells them apart.
    let name = |id: &str| names.get(id).map_or_else(|| id.to_owned(), |what| format!("{what} {id:.8}"));
    let expected: Vec<String> = expected.iter().map(|id| name(id)).collect();
    let user = write.user.rsplit(':').next().unwrap_or_default();
    let got = got.map_or_else(|| "no action's journey".to_owned(), name);
    format!("{} {user} {} | sits in: {got} | may be: {}", write.at, write.what(), expected.join(", "))
}
