//! How right the journeys are, measured on every capture of the repository.
//!
//! `cargo test -p clew-collect --test score -- --nocapture` prints each score and every miss.

mod alike;
mod audit;
mod floors;
mod history;
mod labels;
mod objects;
mod quiet;
mod report;
mod rules;
mod weaving;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use audit::{Recording, Write, recordings};
use labels::Labels;
use quiet::Quiet;
use report::{Placed, Report};

/// What every capture must reach, in per cent of its writes.
const RIGHT: f64 = 99.0;
/// What the watch alone must reach of what the watch and the audit log tell together.
const ALIKE: f64 = 97.0;

fn score(sources: &str) {
    let mut wrong = String::new();
    for recording in recordings().into_iter().filter(|recording| !recording.is_quiet) {
        let labels = Labels::of(&recording);
        let report = Report::of(&recording, &labels, &weaving::journeys(&recording, sources));
        let text = report.text(&format!("{} ({sources})", recording.name));
        print!("{text}");
        assert!(report.scored > 0, "the rules say something about {}", recording.name);
        if report.percent() < RIGHT || !report.wrong_roots.is_empty() {
            wrong.push_str(&text);
        }
    }
    assert!(wrong.is_empty(), "below {RIGHT} %, or roots that are no actions:\n{wrong}");
}

#[test]
fn no_change_is_unplaced() {
    for recording in recordings() {
        for sources in ["audit", "audit,watch"] {
            let journeys = weaving::journeys(&recording, sources);
            let placed: HashSet<String> =
                journeys.iter().flat_map(|journey| &journey.writes).map(ToString::to_string).collect();
            let changes = quiet::changes(&recording);
            assert!(!changes.is_empty(), "{} changes something", recording.name);
            let unplaced = changes.into_iter().filter(|write| !placed.contains(&write.id));
            let unplaced: Vec<String> = unplaced.map(Write::what).collect();
            assert!(unplaced.is_empty(), "{} from {sources}: {unplaced:#?}", recording.name);
        }
    }
}

fn score_quiet(sources: &str) {
    let mut wrong = String::new();
    for recording in recordings().into_iter().filter(|recording| recording.is_quiet) {
        let quiet = Quiet::of(&recording, &weaving::journeys(&recording, sources));
        let text = quiet.text(&format!("{} ({sources})", recording.name));
        print!("{text}");
        assert!(quiet.scored > 0, "{} has writes to score", recording.name);
        let must = floors::quiet(&recording.name, quiet.percent(), RIGHT);
        if quiet.percent() < must || !quiet.lost.is_empty() || !quiet.extra.is_empty() {
            wrong.push_str(&text);
        }
    }
    assert!(wrong.is_empty(), "below {RIGHT} %, or roots that are no actions:\n{wrong}");
}

#[test]
fn operators_that_nobody_here_wrote_are_woven_right_from_the_audit_log_alone() {
    score_quiet("audit");
}

#[test]
fn operators_that_nobody_here_wrote_are_woven_right_from_all_sources() {
    score_quiet("audit,watch,otlp");
}

#[test]
fn the_audit_log_alone_gives_right_journeys() {
    score("audit");
}

#[test]
fn audit_and_watch_give_right_journeys() {
    score("audit,watch");
}

#[test]
fn all_sources_give_right_journeys() {
    score("audit,watch,otlp");
}

#[test]
fn the_watch_alone_gives_the_same_journeys() {
    let mut wrong = String::new();
    for recording in recordings() {
        let both = weaving::journeys(&recording, "audit,watch");
        let alone = weaving::journeys(&recording, "watch");
        let seen = alike::Seen::by_watch(&recording, &both);
        let roots = alike::roots(&both, &alone, &seen);
        let objects = alike::objects(&both, &alone, &seen);
        let mut text = String::new();
        let _ = writeln!(text, "{:<10} {:>6.2} % of the roots", recording.name, roots.percent);
        text.push_str(&roots.differences);
        let _ = writeln!(text, "{:<10} {:>6.2} % of the objects", recording.name, objects.percent);
        text.push_str(&objects.differences);
        print!("{text}");
        let must = floors::alike(&recording.name, roots.percent.min(objects.percent), ALIKE);
        if roots.percent < must || objects.percent < must {
            wrong.push_str(&text);
        }
    }
    assert!(wrong.is_empty(), "below {ALIKE} %:\n{wrong}");
}

/// Every write in the journey of the last action in its namespace.
fn lazy_join(recording: &Recording) -> Placed {
    let mut last: HashMap<&str, String> = HashMap::new();
    let mut placed = Placed::new();
    for write in &recording.writes {
        let namespace = if write.namespace.is_empty() { &write.name } else { &write.namespace };
        if recording.actions.iter().any(|action| action.id == write.id) {
            last.insert(namespace, write.id.clone());
        }
        placed.insert(write.id.clone(), last.get(namespace.as_str()).cloned());
    }
    placed
}

#[test]
fn the_rules_tell_the_lazy_join_from_the_right_one() {
    for recording in recordings().iter().filter(|recording| ["broken", "operator", "busy"].contains(&&*recording.name))
    {
        let report = Report::of_placement(recording, &Labels::of(recording), &lazy_join(recording));
        println!("{:<10} {:>6.2} % by the lazy join", recording.name, report.percent());
        assert!(report.percent() < 90.0, "{}", report.text(&recording.name));
    }
}
