//! Captures that do not reach the mark: what they must keep, and why they are below. A floor that is no longer needed
//! fails the tests, so that none outlives its reason.

struct Floor {
    capture: &'static str,
    percent: f64,
    reason: &'static str,
}

const fn floor(capture: &'static str, percent: f64, reason: &'static str) -> Floor {
    Floor { capture, percent, reason }
}

const ENDS: &str = "the recording's watch ends a second before the Deployments of the deleted namespace go";
const TAINTS: &str = "a pod that went with its node counts as a person's deletion: a watched delete names nobody";
const BUILT_IN: &str = "controllers' updates of Nodes and aggregated ClusterRoles count as roots";
const TTL: &str = "a Job that went after its time counts as a person's deletion";
const NAMED: &str = "a Secret that an operator made for a custom resource that names it counts as a root";
const MIXED: &str =
    "an operator's Secrets and a Job that went after its time count as roots, and a deleted pod does not";
const NOBODY: &str = "the operator is kubectl in a loop, and the watch does not say who ran kubectl";
const CLAIMS: &str = "a claim from a StatefulSet's template counts as a root";

/// With the watch alone.
const WATCH: [Floor; 12] = [
    floor("busy", 95.0, ENDS),
    floor("drain", 90.0, BUILT_IN),
    floor("evictions", 68.0, TAINTS),
    floor("helm", 95.0, BUILT_IN),
    floor("jobs", 89.0, TTL),
    floor("kopf", 84.0, NAMED),
    floor("mix", 96.0, MIXED),
    floor("people", 94.0, BUILT_IN),
    floor("policy", 92.0, BUILT_IN),
    floor("rollback", 91.0, BUILT_IN),
    floor("shell", 37.0, NOBODY),
    floor("volumes", 85.0, CLAIMS),
];

/// What a capture must reach with the watch alone.
pub(crate) fn alike(capture: &str, reached: f64, mark: f64) -> f64 {
    must(&WATCH, capture, reached, mark)
}

fn must(floors: &[Floor], capture: &str, reached: f64, mark: f64) -> f64 {
    let Some(floor) = floors.iter().find(|floor| floor.capture == capture) else { return mark };
    assert!(reached < mark, "{capture} reaches {mark} %: take out its floor ({})", floor.reason);
    floor.percent
}
