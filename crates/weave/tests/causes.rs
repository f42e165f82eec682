//! Why a write happened is decided for each write, each rule as a small story.

mod common;

use clew_weave::fact::{Effect, Fact, ManagedBy, ObjectState, Revision, Verb};
use clew_weave::{Config, Journey, RootKind, Weaver};
use common::{at, journeys, object, write};

const OPERATOR: &str = "system:serviceaccount:operators:site-operator";

/// A custom resource with a status that says something.
fn custom(resource: &str, kind: &str, name: &str, version: u64, status: u64) -> ObjectState {
    let mut state = object(resource, kind, name, version);
    state.kind.group = "example.com".into();
    (state.content, state.spec, state.status) = (1, 1, status);
    state
}

fn with_kubectl(fact: Fact) -> Fact {
    let Fact::Write(mut write) = fact else { return fact };
    write.actor.agent = "kubectl/v1.36.1 (linux/amd64)".into();
    Fact::Write(write)
}

fn root_of<'a>(found: &'a [Journey], audit: &str) -> &'a Journey {
    let holds = |journey: &&Journey| journey.writes.iter().any(|write| write.to_string() == audit);
    found.iter().find(holds).unwrap_or_else(|| panic!("{audit} is in no journey of {found:#?}"))
}

#[test]
fn a_person_who_wrote_a_status_stays_a_person() {
    let site = custom("sites", "Site", "one", 10, 0);
    let promoted = custom("sites", "Site", "one", 20, 5);
    let other = object("configmaps", "ConfigMap", "two", 30);
    let found = journeys([
        with_kubectl(write(0, "alice", Verb::Create, "", &site)),
        with_kubectl(write(60_000, "alice", Verb::Patch, "status", &promoted)),
        with_kubectl(write(60_500, "alice", Verb::Create, "", &other)),
    ]);
    let kinds: Vec<_> = found.iter().map(|journey| (journey.root.name.as_str(), journey.root.kind)).collect();
    assert_eq!(kinds, [("one", RootKind::Request), ("one", RootKind::Request), ("two", RootKind::Request)]);
    assert_eq!(found[1].root.subresource, "status");
}

#[test]
fn an_apply_that_makes_an_object_creates_it() {
    let namespace = ObjectState { namespace: "".into(), ..object("namespaces", "Namespace", "shop", 10) };
    let account = object("serviceaccounts", "ServiceAccount", "default", 11);
    let mut applied = write(0, "alice", Verb::Patch, "", &namespace);
    if let Fact::Write(write) = &mut applied {
        write.creates = true;
    }
    let publisher = "system:serviceaccount:kube-system:service-account-controller";
    let found = journeys([applied, write(30, publisher, Verb::Create, "", &account)]);
    assert_eq!((found.len(), found[0].writes.len()), (1, 2), "{found:#?}");
}

#[test]
fn what_is_put_back_belongs_to_who_took_it_away() {
    let mut made = object("deployments", "Deployment", "web", 10);
    (made.content, made.spec) = (1, 1);
    let changed = ObjectState { version: 20, content: 2, spec: 2, ..made.clone() };
    let restored = ObjectState { version: 30, ..made.clone() };
    let found = journeys([
        write(0, OPERATOR, Verb::Create, "", &made),
        with_kubectl(write(60_000, "bob", Verb::Patch, "", &changed)),
        write(300_000, OPERATOR, Verb::Patch, "", &restored),
    ]);
    assert_eq!(root_of(&found, &format!("300000-{OPERATOR}-patch-web")).root.user, "bob");
}

#[test]
fn a_deleted_object_that_another_names_begins_its_repair() {
    let mut issued = custom("certificates", "Certificate", "site", 10, 0);
    issued.mentions = [clew_weave::mention("site-tls")].into_iter().collect();
    let secret = object("secrets", "Secret", "site-tls", 20);
    let again = ObjectState { uid: "secrets-site-tls-2".into(), version: 40, ..secret.clone() };
    let found = journeys([
        with_kubectl(write(0, "alice", Verb::Create, "", &issued)),
        write(100, OPERATOR, Verb::Create, "", &secret),
        write(200, OPERATOR, Verb::Update, "status", &ObjectState { version: 21, status: 1, ..issued.clone() }),
        with_kubectl(write(90_000, "bob", Verb::Delete, "", &secret)),
        write(90_300, OPERATOR, Verb::Create, "", &again),
    ]);
    assert_eq!(root_of(&found, &format!("100-{OPERATOR}-create-site-tls")).root.user, "alice");
    assert_eq!(root_of(&found, &format!("90300-{OPERATOR}-create-site-tls")).root.user, "bob");
}

/// A source, what applies it, and what was applied, before and after a commit.
fn git_ops() -> Vec<Fact> {
    let sources = "system:serviceaccount:flux-system:source-controller";
    let applies = "system:serviceaccount:flux-system:kustomize-controller";
    let revision =
        |id: &str| Some(Box::new(Revision { id: id.into(), repository: "https://git.example.com/a".into() }));
    let source = custom("gitrepositories", "GitRepository", "apps", 10, 0);
    let fetched = ObjectState { version: 11, status: 1, revision: revision("main@sha1:1"), ..source.clone() };
    let mut kustomization = custom("kustomizations", "Kustomization", "apps-one", 12, 0);
    kustomization.mentions = ["apps", "gitrepository"].map(clew_weave::mention).into_iter().collect();
    let ready = ObjectState { version: 13, status: 1, concluded: true, ..kustomization.clone() };
    let newer = ObjectState { version: 30, status: 2, revision: revision("main@sha1:2"), ..source.clone() };
    let begun = ObjectState { version: 31, status: 2, concluded: true, ..kustomization.clone() };
    let mut web = object("deployments", "Deployment", "web", 32);
    web.managed_by.push(ManagedBy {
        kind: "Kustomization".into(),
        namespace: Some("shop".into()),
        name: "apps-one".into(),
    });
    vec![
        with_kubectl(write(0, "alice", Verb::Create, "", &source)),
        write(50, sources, Verb::Patch, "status", &fetched),
        with_kubectl(write(1_000, "alice", Verb::Create, "", &kustomization)),
        write(1_100, applies, Verb::Patch, "status", &ready),
        write(60_000, sources, Verb::Patch, "status", &newer),
        write(60_100, applies, Verb::Patch, "status", &begun),
        write(60_200, applies, Verb::Create, "", &web),
    ]
}

#[test]
fn a_fetched_commit_is_the_root_of_all_that_is_applied_for_it() {
    let found = journeys(git_ops());
    let journey = found.iter().find(|journey| journey.root.revision.is_some()).expect("a journey of the commit");
    assert_eq!(journey.root.kind, RootKind::External);
    assert_eq!(journey.root.revision.as_ref().expect("its revision").id, "main@sha1:2");
    assert_eq!(journey.writes.len(), 3, "the source, what applies it, and what was applied: {journey:#?}");
    assert_eq!(found.iter().filter(|journey| journey.root.revision.is_some()).count(), 1);
}

#[test]
fn the_cause_that_won_and_those_that_lost_can_be_asked_for() {
    let mut weaver = Weaver::new(Config::default());
    for fact in git_ops() {
        weaver.apply(fact);
    }
    weaver.advance(at(61_000));
    let applied = "60200-system:serviceaccount:flux-system:kustomize-controller-create-web";
    let why = weaver.why(&applied.into()).expect("it is remembered");
    assert_eq!(why.candidates[0].relation, "the manager");
    assert!(why.candidates.is_sorted_by(|one, other| one.weight >= other.weight));
    assert!(why.cause.is_some_and(|cause| cause.starts_with("report kustomizations shop/apps-one")));
    assert_eq!(weaver.why(&"nobody".into()), None);
}

#[test]
fn what_is_rewritten_again_and_again_is_no_endless_journey() {
    let writes = (0..6_u64).map(|turn| {
        let state = object("configmaps", "ConfigMap", "clock", 10 + turn);
        let verb = if turn == 0 { Verb::Create } else { Verb::Update };
        write(i64::try_from(turn).expect("few") * 10_000, OPERATOR, verb, "", &state)
    });
    assert_eq!(journeys(writes).len(), 6);
}

#[test]
fn a_forgotten_context_leaves_nothing_behind() {
    let mut weaver = Weaver::new(Config::default());
    let context = Some(clew_model::TraceId::from_bytes([9; 16]));
    let first = ObjectState { context, ..object("things", "Thing", "one", 10) };
    weaver.apply(write(0, "alice", Verb::Create, "", &first));
    weaver.advance(at(3_600_000));
    // The step is only a baseline now; what carries the same context begins anew, and nothing looks the old one up.
    let second = ObjectState { context, ..object("others", "Other", "two", 20) };
    let Fact::Write(mut late) = write(3_700_000, OPERATOR, Verb::Create, "", &second) else { unreachable!() };
    late.effect = Effect::Object(Box::new(second));
    weaver.apply(Fact::Write(late));
    let found = weaver.advance(at(3_700_100)).journeys;
    assert_eq!((found.len(), found[0].root.name.as_str()), (1, "two"));
}

#[test]
fn a_report_from_which_nothing_follows_is_held_back_and_not_dropped() {
    let mut weaver = Weaver::new(Config::default());
    let reported = |version, status| {
        write(i64::from(version), OPERATOR, Verb::Patch, "status", &{
            custom("sites", "Site", "one", u64::from(version), status)
        })
    };
    let mut given = 0;
    for version in [10_u32, 20_010, 40_010] {
        weaver.apply(reported(version, version.into()));
        let upserts = weaver.advance(at(i64::from(version) + 100));
        given += upserts.journeys.len() + upserts.retired.len();
    }
    assert_eq!(given, 0, "nobody was given a journey, so nobody is told to drop one");
    let other = object("configmaps", "ConfigMap", "one", 50_000);
    weaver.apply(write(40_050, OPERATOR, Verb::Create, "", &other));
    let upserts = weaver.advance(at(50_000));
    assert_eq!(upserts.journeys.len(), 1, "something follows from the last");
    // The status has no word for being done, so that the three reports may be one piece of work.
    assert_eq!(upserts.journeys[0].writes.len(), 4);
}
