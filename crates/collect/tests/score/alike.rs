//! Whether two ways of telling the same story give the same journeys.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use clew_model::{Time, TraceId};
use clew_weave::{Journey, JourneyObject};
use serde_json::Value;

use super::audit::{Recording, text};

/// How much of two sets of journeys is the same, in per cent, and what is not.
pub(crate) struct Alike {
    pub(crate) percent: f64,
    pub(crate) differences: String,
}

/// When the watch last saw a change of each object. What it only listed it cannot tell the story of, and what happened
/// after its last line neither: recordings begin and end in the middle.
#[derive(Default)]
pub(crate) struct Seen {
    by_uid: HashMap<String, Time>,
    /// By resource, namespace and name.
    by_name: HashMap<(String, String, String), Time>,
    /// When each journey began, as the finest source tells it.
    starts: HashMap<TraceId, Time>,
}

impl Seen {
    pub(crate) fn by_watch(recording: &Recording, with_all: &[Journey]) -> Self {
        let starts = with_all.iter().map(|journey| (journey.journey, journey.start)).collect();
        let mut seen = Self { starts, ..Self::default() };
        let options = ReadOptions { sources: Sources::NONE.with(Source::Watch), ..ReadOptions::default() };
        let capture = Capture::open(&recording.path).expect("a capture");
        capture.read(&options, &mut BadLines::default(), &mut |line, _| {
            seen.note(&serde_json::from_slice(line.bytes).expect("a watched version"));
            ControlFlow::Continue(())
        });
        seen
    }

    fn note(&mut self, line: &Value) {
        if matches!(text(line, "/type"), "LISTED" | "BOOKMARK") {
            return;
        }
        let at = line["observedUnixNano"].as_i64().or_else(|| line["observedUnixNano"].as_str()?.parse().ok());
        let at = Time::from_nanos(at.expect("a time"));
        let part = |pointer| text(line, pointer).to_owned();
        let resource = text(line, "/path").rsplit('/').next().unwrap_or_default().to_owned();
        let name = (resource, part("/object/metadata/namespace"), part("/object/metadata/name"));
        self.by_name.entry(name).and_modify(|last| *last = at.max(*last)).or_insert(at);
        self.by_uid.entry(part("/object/metadata/uid")).and_modify(|last| *last = at.max(*last)).or_insert(at);
    }

    /// The journeys whose root object the watch saw change once they had begun.
    fn journeys<'a>(&self, all: &'a [Journey]) -> impl Iterator<Item = &'a Journey> {
        all.iter().filter(|journey| {
            let root = &journey.root;
            let key = (root.resource.to_string(), root.namespace.to_string(), root.name.to_string());
            self.by_name.get(&key).is_some_and(|last| *last >= self.start(journey))
        })
    }

    fn start(&self, journey: &Journey) -> Time {
        self.starts.get(&journey.journey).copied().unwrap_or(journey.start)
    }

    fn objects<'a>(&self, journey: &'a Journey) -> impl Iterator<Item = &'a JourneyObject> {
        let last = |object: &&JourneyObject| self.by_uid.get(&object.uid.to_string());
        journey.objects.iter().filter(move |object| last(object).is_some_and(|last| *last >= self.start(journey)))
    }
}

/// Compares which journeys there are, by id and root object.
pub(crate) fn roots(one: &[Journey], other: &[Journey], seen: &Seen) -> Alike {
    let roots =
        |journeys| seen.journeys(journeys).map(|journey| (journey.journey.to_string(), root(journey))).collect();
    compare(&roots(one), &roots(other))
}

/// Compares which object is in which journey, among the objects that the watch saw.
pub(crate) fn objects(one: &[Journey], other: &[Journey], seen: &Seen) -> Alike {
    let placed = |journeys| {
        let mut placed = BTreeSet::new();
        for journey in seen.journeys(journeys) {
            let named = seen
                .objects(journey)
                .map(|object| format!("{} {}/{} {}", object.kind, object.namespace, object.name, object.uid));
            placed.extend(named.map(|object| (format!("{} {}", journey.journey, root(journey)), object)));
        }
        placed
    };
    compare(&placed(one), &placed(other))
}

fn root(journey: &Journey) -> String {
    let root = &journey.root;
    format!("{} {}/{}", root.resource, root.namespace, root.name)
}

/// The share of what both have in what either has.
#[expect(clippy::cast_precision_loss, reason = "a share of some hundreds")]
fn compare(one: &BTreeSet<(String, String)>, other: &BTreeSet<(String, String)>) -> Alike {
    let either = one.union(other).count();
    let both = one.intersection(other).count();
    let mut differences = String::new();
    for (sign, set, from) in [("only with all", one, other), ("only by watch", other, one)] {
        for (journey, what) in set.difference(from) {
            let _ = writeln!(differences, "    {sign}: {what} in {journey}");
        }
    }
    Alike { percent: 100.0 * both as f64 / either.max(1) as f64, differences }
}
