//! Whether two ways of telling the same story give the same journeys.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use clew_collect::capture::{BadLines, Capture, ReadOptions, Source, Sources};
use clew_weave::Journey;
use serde_json::Value;

use super::audit::{Recording, text};

/// How much of two sets of journeys is the same, in per cent, and what is not.
pub(crate) struct Alike {
    pub(crate) percent: f64,
    pub(crate) differences: String,
}

/// Compares which journeys there are, by id and root object.
pub(crate) fn roots(one: &[Journey], other: &[Journey]) -> Alike {
    let roots = |journeys: &[Journey]| {
        journeys.iter().map(|journey| (journey.journey.to_string(), root(journey))).collect::<BTreeSet<_>>()
    };
    compare(&roots(one), &roots(other))
}

/// Compares which object is in which journey, among the objects that were seen.
pub(crate) fn objects(one: &[Journey], other: &[Journey], seen: &HashSet<String>) -> Alike {
    let placed = |journeys: &[Journey]| {
        let mut placed = BTreeSet::new();
        for journey in journeys {
            let known = journey.objects.iter().filter(|object| seen.contains(&object.uid.to_string()));
            let named =
                known.map(|object| format!("{} {}/{} {}", object.kind, object.namespace, object.name, object.uid));
            placed.extend(named.map(|object| (format!("{} {}", journey.journey, root(journey)), object)));
        }
        placed
    };
    compare(&placed(one), &placed(other))
}

/// The UID of every object that the watch saw.
pub(crate) fn watched(recording: &Recording) -> HashSet<String> {
    let mut uids = HashSet::new();
    let options = ReadOptions { sources: Sources::NONE.with(Source::Watch), ..ReadOptions::default() };
    let capture = Capture::open(&recording.path).expect("a capture");
    capture.read(&options, &mut BadLines::default(), &mut |line, _| {
        let line: Value = serde_json::from_slice(line.bytes).expect("a watched version");
        uids.insert(text(&line, "/object/metadata/uid").to_owned());
        ControlFlow::Continue(())
    });
    uids.remove("");
    uids
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
