use clew_model::{Span, SpanId, Time, TraceId};
use clew_store::{AttributeScope, Column, Comparison, Field, Filter, Operand};
use clew_weave::{Journey, JourneyObject, Root, RootKind, State};
use proptest::prelude::*;

use super::{Matcher, Subject, Verdict};

fn id() -> TraceId {
    TraceId::from_bytes([1; 16])
}

fn journey(state: State) -> Journey {
    let object =
        JourneyObject { uid: "u-1".into(), kind: "Deployment".into(), namespace: "shop".into(), name: "web".into() };
    Journey {
        journey: id(),
        root: Root {
            audit: None,
            verb: "patch".into(),
            resource: "deployments".into(),
            subresource: "".into(),
            namespace: "shop".into(),
            name: "web".into(),
            user: "alice".into(),
            agent: "kubectl/v1".into(),
            kind: RootKind::Request,
            revision: None,
        },
        command: None,
        state,
        waiting_on: None,
        start: Time::from_nanos(1),
        end: Time::from_nanos(1001),
        writes: Vec::new(),
        objects: vec![object],
        spans: 1,
        segments: vec![TraceId::from_bytes([9; 16])],
        critical_path: Vec::new(),
        findings: Vec::new(),
        diff: Vec::new(),
    }
}

fn spans() -> Vec<Span> {
    let span = |number: u8, node: &str, retries: i64| {
        let mut span = Span::new(id(), SpanId::from_bytes([number; 8]), "create pods", Time::from_nanos(2));
        span.attributes.push("k8s.node.name", node);
        span.attributes.push("retries", retries);
        span
    };
    vec![span(1, "node1", 3), span(2, "node2", 5)]
}

fn verdict(filter: &Filter, state: State) -> Verdict {
    let (journey, spans) = (journey(state), spans());
    Matcher::new(filter).unwrap().journey(&Subject { cluster: "lab", journey: &journey, spans: &spans })
}

fn holds(filter: &Filter) -> bool {
    verdict(filter, State::Converged) == Verdict::Yes
}

fn is(column: Column, value: &str) -> Filter {
    Filter::Compare(column.into(), Comparison::Equal, Operand::Text(value.into()))
}

fn attribute(comparison: Comparison, operand: Operand) -> Filter {
    Filter::Compare(Field::Attribute(AttributeScope::Any, "retries".into()), comparison, operand)
}

#[test]
fn what_a_journey_has_is_compared_there() {
    for (column, value) in [
        (Column::Cluster, "lab"),
        (Column::Namespace, "shop"),
        (Column::Kind, "Deployment"),
        (Column::Kind, "DEPLOYMENT"),
        (Column::Kind, "deployments"),
        (Column::Uid, "u-1"),
        (Column::User, "alice"),
        (Column::State, "converged"),
        (Column::TraceId, "09090909090909090909090909090909"),
    ] {
        assert!(holds(&is(column, value)), "{column:?} {value}");
    }
    assert!(!holds(&is(Column::Kind, "Pod")));
    assert!(!holds(&is(Column::Reason, "")));
}

#[test]
fn the_rest_is_looked_for_in_its_spans() {
    assert!(holds(&is(Column::Node, "node2")));
    assert!(holds(&attribute(Comparison::Greater, Operand::Int(4))));
    assert!(holds(&attribute(Comparison::LessOrEqual, Operand::Float(3.5))));
    assert!(!holds(&attribute(Comparison::Greater, Operand::Int(5))));
    assert!(!holds(&attribute(Comparison::Equal, Operand::Text("3".into()))));
}

#[test]
fn not_equal_means_that_no_span_is_equal() {
    assert!(!holds(&attribute(Comparison::NotEqual, Operand::Int(3))));
    assert!(holds(&attribute(Comparison::NotEqual, Operand::Int(7))));
}

#[test]
fn expressions_match_as_a_whole() {
    let matches = |text: &str| Filter::Compare(Column::Name.into(), Comparison::Matches, Operand::Text(text.into()));
    assert!(holds(&matches("w.b")) && holds(&matches("x|web")) && !holds(&matches("we")));
    assert!(Matcher::new(&matches("(")).is_none());
    assert!(Matcher::new(&matches("(a{1000}){1000}")).is_none());
}

#[test]
fn text_is_found_in_any_case() {
    assert!(holds(&Filter::Text("ALICE".into())) && holds(&Filter::Text("node2".into())));
    assert!(!holds(&Filter::Text("bob".into())));
}

#[test]
fn an_open_journey_has_no_duration_yet() {
    let long = Filter::Compare(Column::Duration.into(), Comparison::GreaterOrEqual, Operand::Int(1000));
    assert!(holds(&long));
    assert_ne!(verdict(&long, State::Open), Verdict::Yes);
}

#[test]
fn only_what_may_have_held_before_has_left() {
    let open = |namespace| Filter::And(vec![is(Column::State, "open"), is(Column::Namespace, namespace)]);
    assert_eq!(verdict(&open("shop"), State::Open), Verdict::Yes);
    assert_eq!(verdict(&open("shop"), State::Failed), Verdict::NoLonger);
    assert_eq!(verdict(&open("other"), State::Failed), Verdict::No);
    assert_eq!(verdict(&Filter::Not(Box::new(is(Column::Verb, "patch"))), State::Open), Verdict::No);
}

fn filters() -> impl Strategy<Value = Filter> {
    let columns = [Column::Namespace, Column::State, Column::Node, Column::Kind, Column::Verb];
    let values = ["shop", "open", "node1", "deployment", "patch"];
    let leaf = (proptest::sample::select(columns.to_vec()), proptest::sample::select(values.to_vec()));
    let leaf = leaf.prop_map(|(column, value)| is(column, value));
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

proptest! {
    #[test]
    fn what_holds_does_not_hold_negated(filter in filters()) {
        let not = Filter::Not(Box::new(filter.clone()));
        prop_assert_ne!(holds(&filter), holds(&not));
    }

    #[test]
    fn what_held_once_is_never_said_to_have_been_absent(filter in filters()) {
        // The state is what changed; a filter that held while it was open must not be forgotten when it fails.
        if verdict(&filter, State::Open) == Verdict::Yes {
            prop_assert_ne!(verdict(&filter, State::Failed), Verdict::No);
        }
    }
}
