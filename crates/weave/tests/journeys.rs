//! What a reader of journeys relies on, each as a small story.

mod common;

use clew_model::{SpanId, TraceId};
use clew_weave::fact::{Admission, CommandStep, Fact, NativeSpans, ObjectState, Observed, Uid, Verb};
use clew_weave::{Config, RootKind, State, Upserts, Weaver};
use common::{at, journeys, managed, object, owned, seen, waiting, warning, woven, write};

const TRACE: TraceId = TraceId::from_bytes([7; 16]);

#[test]
fn what_a_controller_makes_belongs_to_who_asked() {
    let parent = object("heads", "Head", "one", 10);
    let child = owned(object("parts", "Part", "one-a", 11), &parent);
    let found =
        journeys([write(0, "alice", Verb::Create, "", &parent), write(5, "operator", Verb::Create, "", &child)]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].root.user, "alice");
    assert_eq!(found[0].root.kind, RootKind::Request);
    assert_eq!(found[0].writes.len(), 2);
    assert_eq!(found[0].objects.len(), 2);
}

#[test]
fn a_controllers_unexplained_change_is_nobodys_request() {
    let status = object("heads", "Head", "one", 10);
    let other = object("things", "Thing", "two", 400);
    let found = journeys([
        write(0, "operator", Verb::Update, "status", &status),
        write(90_000, "operator", Verb::Create, "", &other),
    ]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].root.kind, RootKind::External);
}

#[test]
fn roots_within_a_second_are_one_command() {
    let facts = [0, 600, 1_300, 5_000].map(|ms| {
        let version = 10 + u64::try_from(ms).unwrap();
        write(ms, "alice", Verb::Create, "", &object("configmaps", "ConfigMap", &format!("c{ms}"), version))
    });
    let found = journeys(facts);
    let commands: Vec<_> = found.iter().map(|journey| journey.command.unwrap()).collect();
    assert_eq!(commands[0], commands[1]);
    assert_eq!(commands[1], commands[2]);
    assert_ne!(commands[2], commands[3]);
}

#[test]
fn what_does_not_move_is_stuck_and_says_on_what() {
    let pod = waiting(object("pods", "Pod", "web-1", 10), "ImagePullBackOff", "");
    let mut weaver = Weaver::new(Config::default());
    let facts = [write(0, "alice", Verb::Create, "", &pod), warning(20, &pod, "Failed", "no such image: web:9")];
    let open = woven(&mut weaver, facts, None);
    assert_eq!(open.journeys[0].state, State::Open);
    let later = weaver.advance(at(10 * 60_000));
    let stuck = &later.journeys[0];
    assert_eq!(stuck.state, State::Stuck);
    let waiting = stuck.waiting_on.as_ref().unwrap();
    assert_eq!(waiting.reason, "ImagePullBackOff");
    assert_eq!(waiting.message, "Pod shop/web-1: ImagePullBackOff: no such image: web:9");
}

#[test]
fn the_critical_path_adds_up_to_the_duration() {
    let parent = waiting(object("heads", "Head", "one", 10), "Building", "");
    let child = owned(object("parts", "Part", "one-a", 11), &parent);
    let mut done = object("heads", "Head", "one", 12);
    done.content = parent.content;
    done.spec = parent.spec;
    let found = journeys([
        write(0, "alice", Verb::Create, "", &parent),
        write(400, "operator", Verb::Create, "", &child),
        write(900, "operator", Verb::Update, "status", &done),
    ]);
    let journey = &found[0];
    assert_eq!(journey.state, State::Converged);
    let total: f64 = journey.critical_path.iter().map(|part| part.ms).sum();
    assert!((total - 901.0).abs() < 0.001, "{total} of {:?}", journey.critical_path);
    assert_eq!(journey.critical_path[1].name, "operator notices");
}

#[test]
fn a_context_that_is_handed_on_is_a_cause() {
    let mut asked = object("things", "Thing", "asked", 10);
    asked.context = Some(TRACE);
    let mut made = object("others", "Other", "made", 11);
    made.context = Some(TRACE);
    let found = journeys([write(0, "alice", Verb::Create, "", &asked), write(50, "script", Verb::Create, "", &made)]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].objects.len(), 2);
}

#[test]
fn a_webhooks_trace_joins_the_write_that_it_admitted() {
    let thing = object("things", "Thing", "one", 10);
    let review = Uid::new("review-1");
    let admission = Admission {
        review: review.clone(),
        time: at(0).saturating_add(500_000),
        kind: thing.kind.clone(),
        namespace: thing.namespace.clone(),
        name: thing.name.clone(),
        uid: None,
        trace: None,
    };
    let span = NativeSpans {
        trace: TRACE,
        spans: 1,
        start: at(0),
        audit: None,
        pod: None,
        runtime: None,
        review: Some(review),
        links: [].into_iter().collect(),
    };
    let facts = [
        Fact::Native(Box::new(span)),
        Fact::Admission(Box::new(admission)),
        write(0, "alice", Verb::Create, "", &thing),
    ];
    assert_eq!(journeys(facts)[0].segments, [TRACE]);
}

#[test]
fn the_steps_of_a_traced_command_name_it() {
    let step = CommandStep {
        trace: TRACE,
        span: SpanId::from_bytes([1; 8]),
        name: "apply".into(),
        start: at(0),
        end: None,
        error: "".into(),
    };
    let roots = [0, 5_000].map(|ms| {
        let mut state = object("configmaps", "ConfigMap", &format!("c{ms}"), 10 + u64::try_from(ms).unwrap());
        state.context = Some(TRACE);
        write(ms, "alice", Verb::Create, "", &state)
    });
    let [first, second] = roots;
    let found = journeys([first, Fact::Step(Box::new(step)), second]);
    assert!(found.iter().all(|journey| journey.segments == [TRACE]), "{found:?}");
    assert!(found.iter().all(|journey| journey.command == found[0].command));
}

#[test]
fn two_writers_that_undo_each_other_are_found_out() {
    let facts = (0..6).map(|turn| {
        let mut state = object("things", "Thing", "one", 10 + turn);
        state.content = turn % 2;
        state.spec = turn % 2;
        let user = if turn % 2 == 0 { "alice" } else { "bob" };
        let verb = if turn == 0 { Verb::Create } else { Verb::Update };
        write(i64::try_from(turn).unwrap() * 2_000, user, verb, "", &state)
    });
    let found = journeys(facts);
    let fight = found.iter().flat_map(|journey| &journey.findings).find(|finding| finding.kind == "fight").unwrap();
    assert_eq!(fight.message, "alice and bob undo each other's changes of Thing shop/one");
}

#[test]
fn a_writer_without_end_is_found_out() {
    let first = object("things", "Thing", "one", 10);
    let mut facts =
        vec![write(0, "alice", Verb::Create, "", &first), write(1, "system:operator", Verb::Update, "status", &first)];
    facts.extend((11..60).map(|version| {
        let state = object("things", "Thing", "one", version);
        write(i64::try_from(version).unwrap() * 10, "system:operator", Verb::Patch, "", &state)
    }));
    let found = journeys(facts);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].findings[0].kind, "loop");
    assert_eq!(found[0].findings[0].message, "system:operator changed Thing shop/one 49 times");
}

#[test]
fn converged_journeys_leave_memory_and_their_objects_stay_known() {
    let mut weaver = Weaver::new(Config::default());
    let facts = (0..100_u64).flat_map(|number| {
        let state = object("configmaps", "ConfigMap", &format!("c{number}"), 10 + number * 3);
        let mut again = state.clone();
        again.version += 1;
        again.content += 1;
        let ms = i64::try_from(number).unwrap() * 10;
        [write(ms, "alice", Verb::Create, "", &state), write(ms + 5, "alice", Verb::Update, "", &again)]
    });
    woven(&mut weaver, facts, None);
    assert_eq!(weaver.stats().journeys, 200);
    weaver.advance(at(3_600_000));
    let stats = weaver.stats();
    assert_eq!((stats.journeys, stats.objects, stats.steps), (0, 100, 100));
    let gone = object("configmaps", "ConfigMap", "c0", 900);
    woven(&mut weaver, [write(3_700_000, "alice", Verb::Delete, "", &gone)], None);
    weaver.advance(at(7_300_000));
    assert_eq!(weaver.stats().objects, 99);
}

#[test]
fn what_is_forgotten_changes_no_journey_that_goes_on() {
    let made = managed(object("things", "Thing", "one", 10), &["alice"]);
    let mut marked = waiting(managed(object("things", "Thing", "one", 20), &["alice"]), "Terminating", "");
    (marked.content, marked.spec, marked.deleting) = (made.content, made.spec, Some(at(400_000)));
    let held = managed(ObjectState { version: 21, ..marked.clone() }, &["alice"]);
    let mut weaver = Weaver::new(Config::default());
    woven(&mut weaver, [seen(0, Observed::Added, &made)], None);
    let asker = |upserts: &Upserts| {
        let deletion = upserts.journeys.iter().find(|journey| journey.root.verb == "delete");
        deletion.map(|journey| journey.root.agent.to_string())
    };
    let marking = woven(&mut weaver, [seen(400_000, Observed::Modified, &marked)], Some(at(400_000)));
    assert_eq!(asker(&marking).as_deref(), Some(""), "managedFields do not tell who deletes");
    let later = woven(&mut weaver, [seen(800_000, Observed::Modified, &held)], Some(at(800_000)));
    assert_eq!(weaver.stats().journeys, 1, "the journey that made it is forgotten");
    let last = woven(&mut weaver, [seen(900_000, Observed::Deleted, &held)], Some(at(900_000)));
    for upserts in [later, last] {
        assert_eq!(asker(&upserts).as_deref(), Some(""), "who made it did not delete it");
    }
}

#[test]
fn an_object_that_is_changed_for_ever_takes_no_more_memory() {
    let mut weaver = Weaver::new(Config::default());
    for number in 0..50 {
        let state = object("configmaps", "ConfigMap", "one", 10 + number);
        let ms = i64::try_from(number).unwrap() * 1_000_000;
        woven(&mut weaver, [write(ms, "alice", Verb::Update, "", &state)], None);
        weaver.advance(at(ms + 900_000));
    }
    assert_eq!((weaver.stats().journeys, weaver.stats().steps), (0, 1));
}

#[test]
fn the_watch_alone_gives_the_ids_that_the_audit_log_gives() {
    let state = object("configmaps", "ConfigMap", "one", 10);
    let audited = journeys([write(0, "alice", Verb::Create, "", &state)]);
    let watched = journeys([seen(3, Observed::Added, &state)]);
    assert_eq!(audited[0].journey, watched[0].journey);
}
