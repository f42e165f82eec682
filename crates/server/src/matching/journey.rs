//! Filters on a journey: what it has itself is compared there, the rest on any of its spans.

use clew_model::Span;
use clew_store::{Column, Comparison, Field, Operand};
use clew_weave::{Journey, State};

use super::compare::satisfies;
use super::filter::Node;
use super::span;
use super::value::Found;
use crate::view::object_kind;

/// A journey and the spans that clew made for it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The cluster.
    pub cluster: &'a str,
    /// The journey.
    pub journey: &'a Journey,
    /// Its spans; any order, others' are passed over.
    pub spans: &'a [Span],
}

impl<'a> Subject<'a> {
    fn own_spans(&self) -> impl Iterator<Item = &'a Span> {
        let id = self.journey.journey;
        self.spans.iter().filter(move |span| span.trace_id == id)
    }
}

/// Whether a leaf of a filter holds for a journey.
pub(super) fn holds(leaf: &Node, subject: &Subject<'_>) -> bool {
    let field = match leaf {
        Node::Text(text) => return reads(text, subject),
        Node::Readable(rights) => return rights.show(subject.cluster, subject.journey),
        Node::Compare(field, ..) | Node::Matches(field, ..) | Node::Exists(field) => field,
        Node::All | Node::And(_) | Node::Or(_) | Node::Not(_) => return false,
    };
    if let Field::Column(column) = field
        && is_single(*column)
    {
        return column_of(*column, subject).is_some_and(|found| satisfies(leaf, &found));
    }
    // Where a journey has many values, "not so" means that none of them is so.
    if let Some(positive) = positive(leaf) {
        return !has_one(field, &positive, subject);
    }
    has_one(field, leaf, subject)
}

/// Whether one of the many values that a journey has in a field satisfies the leaf.
fn has_one(field: &Field, leaf: &Node, subject: &Subject<'_>) -> bool {
    let journey = subject.journey;
    let any = |mut values: Box<dyn Iterator<Item = String> + '_>| {
        values.any(|value| Found::some(value).is_some_and(|found| satisfies(leaf, &found)))
    };
    match field {
        Field::Column(Column::Uid) => any(Box::new(journey.objects.iter().map(|object| object.uid.to_string()))),
        Field::Column(Column::TraceId) => any(Box::new(
            std::iter::once(journey.journey).chain(journey.segments.iter().copied()).map(|id| id.to_string()),
        )),
        Field::Column(Column::Kind) => {
            let kind = object_kind(journey);
            let spellings = [kind.to_owned(), kind.to_lowercase(), journey.root.resource.to_string()];
            let leaf = lower_operand(leaf);
            spellings
                .into_iter()
                .any(|kind| leaf.iter().any(|leaf| satisfies(leaf, &Found::Text(kind.as_str().into()))))
        }
        _ => subject.own_spans().any(|span| span::holds(leaf, subject.cluster, span)),
    }
}

/// The leaf itself, and the leaf with its text in lower case: kinds are written in many ways.
fn lower_operand(leaf: &Node) -> Vec<Node> {
    match leaf {
        Node::Compare(field, comparison, operand) => {
            let lower = match operand {
                Operand::Text(text) => Operand::Text(text.to_lowercase()),
                other => other.clone(),
            };
            [operand.clone(), lower].map(|operand| Node::Compare(field.clone(), *comparison, operand)).into()
        }
        Node::Matches(field, regex, wanted) => vec![Node::Matches(field.clone(), regex.clone(), *wanted)],
        _ => vec![Node::Exists(Column::Kind.into())],
    }
}

/// What a leaf denies, if it denies.
fn positive(leaf: &Node) -> Option<Node> {
    match leaf {
        Node::Compare(field, Comparison::NotEqual, operand) => {
            Some(Node::Compare(field.clone(), Comparison::Equal, operand.clone()))
        }
        Node::Matches(field, regex, false) => Some(Node::Matches(field.clone(), regex.clone(), true)),
        _ => None,
    }
}

/// Whether a later version of the same journey may answer a leaf differently.
pub(super) fn may_change(leaf: &Node) -> bool {
    let (Node::Compare(field, ..) | Node::Matches(field, ..) | Node::Exists(field)) = leaf else { return true };
    !matches!(
        field,
        Field::Column(
            Column::Cluster
                | Column::Namespace
                | Column::Kind
                | Column::Name
                | Column::User
                | Column::Agent
                | Column::Verb
        )
    )
}

/// Whether a journey has one value of its own in a column.
fn is_single(column: Column) -> bool {
    use Column::{Agent, Cluster, Command, Duration, Journey, Name, Namespace, Reason, State, User, Verb};
    matches!(column, Agent | Cluster | Command | Duration | Journey | Name | Namespace | Reason | State | User | Verb)
}

fn column_of<'a>(column: Column, subject: &Subject<'a>) -> Option<Found<'a>> {
    let journey = subject.journey;
    let root = &journey.root;
    match column {
        Column::Cluster => Found::some(subject.cluster),
        Column::Namespace => Found::some(root.namespace.as_str()),
        Column::Name => Found::some(root.name.as_str()),
        Column::User => Found::some(root.user.as_str()),
        Column::Agent => Found::some(root.agent.as_str()),
        Column::Verb => Found::some(root.verb.as_str()),
        Column::Duration if journey.state == State::Open => None,
        Column::Duration => Some(Found::Int(journey.end.since(journey.start).max(0))),
        Column::State => Found::some(word(journey.state)),
        Column::Reason => journey.waiting_on.as_ref().and_then(|waiting| Found::some(waiting.reason.as_str())),
        Column::Command => journey.command.and_then(|command| Found::some(command.to_string())),
        Column::Journey => Found::some(journey.journey.to_string()),
        _ => None,
    }
}

fn reads(text: &str, subject: &Subject<'_>) -> bool {
    let has = |other: &str| other.to_lowercase().contains(text);
    let journey = subject.journey;
    let root = &journey.root;
    let words = [&root.verb, &root.resource, &root.namespace, &root.name, &root.user, &root.agent];
    words.into_iter().any(|word| has(word))
        || journey.waiting_on.as_ref().is_some_and(|waiting| has(&waiting.reason) || has(&waiting.message))
        || journey.findings.iter().any(|finding| has(&finding.message))
        || journey.objects.iter().any(|object| has(&object.name) || has(&object.kind))
        || subject.own_spans().any(|span| span::reads(text, span))
}

/// The word for how a journey stands.
pub(super) const fn word(state: State) -> &'static str {
    match state {
        State::Open => "open",
        State::Converged => "converged",
        State::Failed => "failed",
        State::Stuck => "stuck",
    }
}
