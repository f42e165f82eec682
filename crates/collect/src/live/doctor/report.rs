//! The doctor's table, from what was found. Pure.

use super::check::{Check, CheckState};
use super::findings::{Allowed, Findings, Reach, Running};

/// A clock that is off by more than that puts causes in the wrong order.
const MOST_SKEW: i64 = 2_000_000_000;
/// A source that was silent for longer than that may be cut off.
const SILENCE: i64 = 600_000_000_000;
/// How many missing rights are named.
const NAMED: usize = 5;

/// Every check, in the order in which a person would mend them.
pub fn report(findings: &Findings) -> Vec<Check> {
    let mut checks = vec![api_server(findings)];
    if matches!(findings.version, Some(Ok(_))) {
        checks.extend([clock(findings), watch(findings)]);
    }
    let reach = |which: fn(&Running) -> Reach| findings.running.as_ref().map(which);
    let reaches = [
        ("audit", reach(|running| running.audit), AUDIT_WORTH, AUDIT_FIX),
        ("API server's spans", reach(|running| running.spans), SPANS_WORTH, SPANS_FIX),
    ];
    checks.extend(reaches.map(|(check, reach, worth, fix)| came(findings, check, reach, worth, fix)));
    checks.extend([webhook(findings), kubelet(findings)]);
    checks.extend(findings.running.iter().flat_map(|running| [sources(running), losses(running)]));
    checks
}

const AUDIT_WORTH: &str = "who asked for each change, refusals and retries, exact times, deletions' askers";
const AUDIT_FIX: &str = "give kube-apiserver --audit-policy-file (clew install audit-policy) and \
    --audit-webhook-config-file with clew's /audit/CLUSTER, or let clew follow the log with --audit-log";
const SPANS_WORTH: &str = "what each request did inside the API server and etcd, attached to its journey";
const SPANS_FIX: &str =
    "give kube-apiserver --tracing-config-file with clew's OTLP address and samplingRatePerMillion: 1000000";

fn check(check: &'static str, state: CheckState, message: String, worth: &'static str, fix: &str) -> Check {
    let fix = if state == CheckState::Ok { String::new() } else { fix.to_owned() };
    Check { check, state, message, worth, fix }
}

fn api_server(findings: &Findings) -> Check {
    let (state, message) = match &findings.version {
        Some(Ok(version)) => (CheckState::Ok, version.clone()),
        Some(Err(error)) => (CheckState::Missing, error.clone()),
        None => (CheckState::Unknown, "not asked".to_owned()),
    };
    check("API server", state, message, "everything else", "check the kubeconfig, its context and the network")
}

fn clock(findings: &Findings) -> Check {
    let worth = "causes in the right order";
    let Some(skew) = findings.skew else {
        return check("clock", CheckState::Unknown, "the API server sent no date".to_owned(), worth, "");
    };
    let state = if skew.abs() > MOST_SKEW { CheckState::Partial } else { CheckState::Ok };
    let milliseconds = skew / 1_000_000;
    let message = format!("the API server's clock is {milliseconds} ms ahead of this machine's");
    check("clock", state, message, worth, "keep the clocks of both machines by NTP")
}

fn watch(findings: &Findings) -> Check {
    let all = findings.rights.len();
    let missing: Vec<&str> =
        findings.rights.iter().filter(|right| right.allowed != Allowed::Yes).map(|it| it.resource.as_str()).collect();
    let state = match (all, missing.len()) {
        (0, _) => CheckState::Unknown,
        (_, 0) => CheckState::Ok,
        (all, missing) if all == missing => CheckState::Missing,
        _ => CheckState::Partial,
    };
    let named = missing.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if missing.len() > NAMED { format!(" and {} more", missing.len() - NAMED) } else { String::new() };
    let without = if missing.is_empty() { String::new() } else { format!(", without {named}{more}") };
    let message = format!("{} of {all} resources may be listed and watched{without}", all - missing.len());
    let worth = "objects, their state and who owns them: every journey, and when it has converged";
    let fix =
        "grant list and watch (clew install prints the ClusterRole), name a namespace, or exclude what is not wanted";
    check("watch", state, message, worth, fix)
}

fn came(findings: &Findings, name: &'static str, reach: Option<Reach>, worth: &'static str, fix: &str) -> Check {
    let (state, message) = match reach {
        None => (CheckState::Unknown, "only a clew that runs can tell: name it with --server".to_owned()),
        Some(Reach::Never) => (CheckState::Missing, "nothing has come".to_owned()),
        Some(Reach::Seen(time)) => {
            let ago = findings.now.since(time);
            let state = if ago > SILENCE { CheckState::Partial } else { CheckState::Ok };
            (state, format!("last seen {} s ago", ago / 1_000_000_000))
        }
    };
    check(name, state, message, worth, fix)
}

fn sources(running: &Running) -> Check {
    let named = running.failing.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    let (state, message) = match running.failing.len() {
        0 => (CheckState::Ok, format!("{} work", running.up)),
        count => (CheckState::Partial, format!("{} work, {count} cannot: {named}", running.up)),
    };
    let fix = "grant what is refused, or exclude what is not wanted; System in the page lists every source";
    check("sources", state, message, "facts from everything that the running clew was told to follow", fix)
}

fn losses(running: &Running) -> Check {
    let all: u64 = running.lost.iter().map(|(_, count)| count).sum();
    let named = running.lost.iter().take(NAMED).map(|(reason, count)| format!("{reason} ({count})"));
    let (state, message) = match all {
        0 => (CheckState::Ok, "nothing was dropped since it started".to_owned()),
        _ => (CheckState::Partial, format!("{all} dropped: {}", named.collect::<Vec<_>>().join("; "))),
    };
    let fix = "each reason is a limit or a refusal: see docs/otlp.md and the senders' own logs";
    check("losses", state, message, "journeys with every span and fact in them", fix)
}

fn webhook(findings: &Findings) -> Check {
    let (state, message) = match (findings.webhook_configured, findings.webhook_stamps) {
        (_, Some(true)) => (CheckState::Ok, "an object of a dry run got its context"),
        (Some(true), Some(false)) => (CheckState::Partial, "it is configured, but a dry run did not meet it"),
        (Some(false), _) | (None, Some(false)) => (CheckState::Missing, "it is not configured"),
        (Some(true), None) => (CheckState::Unknown, "it is configured; a dry run was not allowed"),
        (None, None) => (CheckState::Unknown, "neither its configuration nor a dry run was allowed to be seen"),
    };
    let worth = "contexts for operators that know nothing of tracing, also where there is no audit";
    let fix = "clew install prints the MutatingWebhookConfiguration; the API server must reach clew's Service";
    check("admission webhook", state, message.to_owned(), worth, fix)
}

fn kubelet(findings: &Findings) -> Check {
    let (state, message) = match findings.kubelet_tracing {
        Some(true) => (CheckState::Ok, "the first node's kubelet has a tracing section"),
        Some(false) => (CheckState::Missing, "the first node's kubelet has no tracing section"),
        None => (CheckState::Unknown, "nobody may ask the kubelet for its configuration"),
    };
    let worth = "what the kubelet and the runtime did for each pod";
    let fix = "add tracing: {endpoint: HOST:4317, samplingRatePerMillion: 1000000} to the KubeletConfiguration";
    check("kubelet's spans", state, message.to_owned(), worth, fix)
}

#[cfg(test)]
mod tests {
    use clew_model::Time;

    use super::super::findings::Right;
    use super::*;

    fn findings() -> Findings {
        let right = |resource: &str, allowed| Right { resource: resource.to_owned(), allowed };
        Findings {
            version: Some(Ok("v1.34.4".to_owned())),
            skew: Some(0),
            rights: vec![right("pods", Allowed::Yes), right("secrets", Allowed::Yes)],
            running: Some(Running {
                audit: Reach::Seen(Time::from_nanos(SILENCE)),
                spans: Reach::Seen(Time::from_nanos(SILENCE)),
                ..Running::default()
            }),
            webhook_configured: Some(true),
            webhook_stamps: Some(true),
            kubelet_tracing: Some(true),
            now: Time::from_nanos(SILENCE),
        }
    }

    fn states(findings: &Findings) -> Vec<(&'static str, CheckState)> {
        report(findings).iter().map(|check| (check.check, check.state)).collect()
    }

    #[test]
    fn where_everything_works_there_is_nothing_to_do() {
        for check in report(&findings()) {
            assert_eq!((check.state, check.fix.as_str()), (CheckState::Ok, ""), "{}", check.check);
            assert!(!check.worth.is_empty());
        }
    }

    #[test]
    fn what_does_not_work_says_how_to_mend_it() {
        use CheckState::{Missing, Ok, Partial, Unknown};
        let mut bad = findings();
        bad.skew = Some(-5_000_000_000);
        bad.rights[1].allowed = Allowed::No;
        let lost = vec![("span: too large".to_owned(), 7)];
        let failing = vec!["secrets: forbidden".to_owned()];
        bad.running = Some(Running { failing, lost, up: 40, ..Running::default() });
        bad.now = Time::from_nanos(3 * SILENCE);
        bad.webhook_stamps = Some(false);
        bad.kubelet_tracing = None;
        let expected = [
            ("API server", Ok),
            ("clock", Partial),
            ("watch", Partial),
            ("audit", Missing),
            ("API server's spans", Missing),
            ("admission webhook", Partial),
            ("kubelet's spans", Unknown),
            ("sources", Partial),
            ("losses", Partial),
        ];
        assert_eq!(states(&bad), expected);
        let report = report(&bad);
        assert_eq!(report[2].message, "1 of 2 resources may be listed and watched, without secrets");
        assert_eq!(report[7].message, "40 work, 1 cannot: secrets: forbidden");
        assert_eq!(report[8].message, "7 dropped: span: too large (7)");
        assert!(report.iter().all(|check| check.state == Ok || !check.fix.is_empty()));
        let unasked = Findings { running: None, ..findings() };
        assert_eq!(states(&unasked)[3..5], [("audit", Unknown), ("API server's spans", Unknown)]);
    }

    #[test]
    fn a_cluster_that_does_not_answer_is_not_said_to_lack_rights() {
        let gone = Findings { version: Some(Err("connection refused".to_owned())), ..Findings::default() };
        let checks = states(&gone);
        assert_eq!(checks[0], ("API server", CheckState::Missing));
        assert!(!checks.iter().any(|(check, _)| *check == "watch"));
    }
}
