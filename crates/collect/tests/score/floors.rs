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

const OPERATORS: &str =
    "the watch does not say who deleted, nor which service account wrote, and sees fewer versions than were written";

/// With the watch alone.
const WATCH: [Floor; 25] = [
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
    floor("appsets", 53.0, OPERATORS),
    floor("argocd", 37.0, OPERATORS),
    floor("certs", 71.0, OPERATORS),
    floor("elastic", 84.0, OPERATORS),
    floor("flagger", 77.0, OPERATORS),
    floor("flux", 46.0, OPERATORS),
    floor("fluxhelm", 35.0, OPERATORS),
    floor("kyverno", 57.0, OPERATORS),
    floor("odd", 72.0, OPERATORS),
    floor("prometheus", 81.0, OPERATORS),
    floor("rollouts", 80.0, OPERATORS),
    floor("training", 53.0, OPERATORS),
    floor("trust", 80.0, OPERATORS),
];

const GATE: &str = "a gate that opens outside the cluster is no change in it: what waited goes on in its own journey";
const GENERATED: &str =
    "an Application that a set of them made from a folder in Git belongs to the set, not to the commit";
const LATER_SYNC: &str = "what is put back after a later sync belongs to who took it away";
const SELECTED: &str = "what a Prometheus selects by labels in other namespaces is not followed yet";
const SECRETS: &str = "a release's Secret may be written while its controller is at another release";

/// For scenes of quiet namespaces.
const QUIET: [Floor; 5] = [
    floor("appsets", 93.0, GENERATED),
    floor("argocd", 89.0, LATER_SYNC),
    floor("flagger", 91.0, GATE),
    floor("fluxhelm", 98.0, SECRETS),
    floor("prometheus", 91.0, SELECTED),
];

/// What a scene of quiet namespaces must reach.
pub(crate) fn quiet(capture: &str, reached: f64, mark: f64) -> f64 {
    must(&QUIET, capture, reached, mark)
}

/// What a capture must reach with the watch alone.
pub(crate) fn alike(capture: &str, reached: f64, mark: f64) -> f64 {
    must(&WATCH, capture, reached, mark)
}

fn must(floors: &[Floor], capture: &str, reached: f64, mark: f64) -> f64 {
    let Some(floor) = floors.iter().find(|floor| floor.capture == capture) else { return mark };
    assert!(reached < mark, "{capture} reaches {mark} %: take out its floor ({})", floor.reason);
    floor.percent
}
