use clew_model::{Time, TraceId};
use clew_weave::fact::Revision;
use clew_weave::{FieldDiff, Journey, JourneyObject, Root, RootKind, State};

use super::title;

const KUBECTL: &str = "kubectl/v1.34.4 (linux/amd64) kubernetes/$Format";

fn journey(verb: &str, resource: &str, kind: &str, diff: &[(&str, Option<&str>, Option<&str>)]) -> Journey {
    let root = Root {
        audit: None,
        verb: verb.into(),
        resource: resource.into(),
        subresource: "".into(),
        namespace: "shop".into(),
        name: "web".into(),
        user: "alice@example.com".into(),
        agent: KUBECTL.into(),
        kind: RootKind::Request,
        revision: None,
    };
    let object = JourneyObject {
        uid: "u".into(),
        kind: kind.into(),
        namespace: root.namespace.clone(),
        name: root.name.clone(),
    };
    let diff = diff.iter().map(|(path, before, after)| FieldDiff {
        path: (*path).to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    });
    Journey {
        journey: TraceId::from_bytes([1; 16]),
        root,
        command: None,
        state: State::Open,
        waiting_on: None,
        start: Time::UNIX_EPOCH,
        end: Time::UNIX_EPOCH,
        writes: Vec::new(),
        objects: vec![object],
        spans: 0,
        segments: Vec::new(),
        critical_path: Vec::new(),
        findings: Vec::new(),
        diff: diff.collect(),
    }
}

fn patch(diff: &[(&str, Option<&str>, Option<&str>)]) -> String {
    title(&journey("patch", "deployments", "Deployment", diff))
}

#[test]
fn an_env_variable_is_named_with_its_value() {
    let path = "spec.template.spec.containers[0].env[RELEASE]";
    let set = patch(&[(path, Some("1"), Some("2"))]);
    assert_eq!(set, "alice@example.com set env RELEASE=2 on Deployment shop/web with kubectl");
    let removed = patch(&[(path, Some("1"), None)]);
    assert_eq!(removed, "alice@example.com removed env RELEASE from Deployment shop/web with kubectl");
}

#[test]
fn scaling_tells_both_numbers() {
    let scaled = patch(&[("spec.replicas", Some("1"), Some("6"))]);
    assert_eq!(scaled, "alice@example.com scaled Deployment shop/web from 1 to 6 with kubectl");
}

#[test]
fn a_new_image_is_told_before_the_rest() {
    let fields = [
        ("spec.replicas", Some("4"), Some("2")),
        ("spec.template.metadata.annotations.settings", Some("blue"), Some("green")),
        ("spec.template.spec.containers[0].image", Some("web:1"), Some("web:2")),
    ];
    let told = patch(&fields);
    assert_eq!(
        told,
        "alice@example.com set replicas 2, image web:2 and one more field on Deployment shop/web with kubectl"
    );
    let alone = patch(&fields[2..]);
    assert_eq!(alone, "alice@example.com set image web:2 on Deployment shop/web with kubectl");
}

#[test]
fn a_restart_is_a_restart_whatever_carries_its_mark() {
    let map = r#"{"kubectl.kubernetes.io/restartedAt":"2026-11-15T10:06:40Z"}"#;
    let noisy = [
        ("annotations[deprecated.daemonset.template.generation]", Some("1"), Some("2")),
        ("spec.template.metadata.annotations", None, Some(map)),
    ];
    assert_eq!(patch(&noisy), "alice@example.com restarted Deployment shop/web with kubectl");
    let again = [("spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]", Some("a"), Some("b"))];
    assert_eq!(patch(&again), "alice@example.com restarted Deployment shop/web with kubectl");
}

#[test]
fn switches_are_told_by_what_they_do() {
    let cases = [
        ("spec.paused", None, Some("true"), "paused the rollout of Deployment shop/web"),
        ("spec.paused", Some("true"), None, "resumed the rollout of Deployment shop/web"),
        ("spec.suspend", Some("true"), Some("false"), "resumed Deployment shop/web"),
        ("spec.unschedulable", None, Some("true"), "cordoned Deployment shop/web"),
        ("spec.taints", None, Some("[]"), "tainted Deployment shop/web"),
    ];
    for (path, before, after, words) in cases {
        assert_eq!(patch(&[(path, before, after)]), format!("alice@example.com {words} with kubectl"));
    }
}

#[test]
fn labels_and_annotations_are_named() {
    let first = patch(&[("labels", None, Some(r#"{"team":"blue"}"#))]);
    assert_eq!(first, "alice@example.com set label team=blue on Deployment shop/web with kubectl");
    let dotted = patch(&[("annotations[a.b/c]", None, Some("x"))]);
    assert_eq!(dotted, "alice@example.com set annotation a.b/c=x on Deployment shop/web with kubectl");
    let gone = patch(&[("labels.team", Some("blue"), None)]);
    assert_eq!(gone, "alice@example.com removed label team from Deployment shop/web with kubectl");
}

#[test]
fn redacted_values_are_never_shown() {
    let told = patch(&[("data.password", Some("redacted:hmac:1"), Some("redacted:hmac:2"))]);
    assert_eq!(told, "alice@example.com changed data.password of Deployment shop/web with kubectl");
}

#[test]
fn a_change_of_unknown_content_is_still_told() {
    assert_eq!(patch(&[]), "alice@example.com changed Deployment shop/web with kubectl");
}

#[test]
fn accounts_and_controllers_go_by_their_names() {
    let mut own = journey("create", "pods", "Pod", &[]);
    own.root.user = "system:serviceaccount:ci:deployer".into();
    assert_eq!(title(&own), "ci/deployer created Pod shop/web with kubectl");
    own.root.user = "system:serviceaccount:kube-system:daemon-set-controller".into();
    own.root.agent = "kube-controller-manager/v1.34.4 (linux/amd64)".into();
    assert_eq!(title(&own), "daemon-set-controller created Pod shop/web");
    own.root.user = "system:node:node1".into();
    own.root.agent = "kubelet/v1.34.4".into();
    assert_eq!(title(&own), "the kubelet of node1 created Pod shop/web");
    own.root.user = "".into();
    assert_eq!(title(&own), "kubelet created Pod shop/web");
    own.root.agent = "".into();
    assert_eq!(title(&own), "someone created Pod shop/web");
}

#[test]
fn a_tick_names_the_cron_job() {
    let mut tick = journey("create", "jobs", "Job", &[]);
    tick.root.kind = RootKind::Timer;
    tick.root.name = "report-29912460".into();
    tick.objects[0].name = tick.root.name.clone();
    assert_eq!(title(&tick), "CronJob shop/report ticked and created Job shop/report-29912460");
}

#[test]
fn helm_is_told_by_release_and_revision() {
    let mut helm = journey("create", "secrets", "Secret", &[]);
    helm.root.name = "sh.helm.release.v1.my.shop.v1".into();
    helm.root.agent = "Helm/4.3".into();
    assert_eq!(title(&helm), "alice@example.com began to install Helm release shop/my.shop with helm");
    helm.root.verb = "update".into();
    helm.diff = vec![FieldDiff { path: "labels.status".into(), before: None, after: Some("deployed".into()) }];
    assert_eq!(title(&helm), "alice@example.com marked revision 1 of Helm release shop/my.shop as deployed with helm");
}

#[test]
fn evictions_and_deletions_need_no_diff() {
    let mut eviction = journey("create", "pods", "Pod", &[]);
    eviction.root.subresource = "eviction".into();
    assert_eq!(title(&eviction), "alice@example.com evicted Pod shop/web with kubectl");
    let deletion = journey("delete", "namespaces", "Namespace", &[]);
    assert_eq!(title(&deletion), "alice@example.com deleted Namespace shop/web with kubectl");
}

#[test]
fn a_commit_says_what_it_deployed() {
    let fetched = |id: &str, diff: &[(&str, Option<&str>, Option<&str>)], others: &[(&str, &str)]| {
        let mut journey = journey("patch", "gitrepositories", "GitRepository", diff);
        (journey.root.kind, journey.root.subresource) = (RootKind::External, "status".into());
        journey.root.revision = Some(Revision { id: id.into(), repository: "https://git.example.com/shop".into() });
        let object = |(kind, name): &(&str, &str)| JourneyObject {
            uid: (*name).into(),
            kind: (*kind).into(),
            namespace: "apps".into(),
            name: (*name).into(),
        };
        journey.objects.extend(others.iter().map(object));
        title(&journey)
    };
    let commit = "main@sha1:3a134dfe1b0c9a8877665544332211009988aabb";
    let path = "Deployment apps/api spec.template.spec.containers[0].image";
    let deployed = fetched(commit, &[(path, Some("registry:5000/api:1"), Some("registry:5000/api:2"))], &[]);
    assert_eq!(deployed, "commit 3a134df on main deployed api 1 → 2 in apps");
    let made = fetched(commit, &[], &[("Deployment", "api"), ("Service", "api2")]);
    assert_eq!(made, "commit 3a134df on main changed Deployment apps/api and 1 more");
    assert_eq!(fetched(commit, &[], &[]), "commit 3a134df on main was fetched and changed nothing");
    assert_eq!(fetched("6.1.0", &[], &[("Deployment", "api")]), "revision 6.1.0 changed Deployment apps/api");
}
