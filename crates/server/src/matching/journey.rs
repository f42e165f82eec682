//! Filters on a journey: what it has itself is compared there, the rest on any of its spans.

use clew_model::Span;
use clew_store::{Column, Field};
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
        Node::Compare(field, ..) | Node::Matches(field, ..) | Node::Exists(field) => field,
        Node::All | Node::And(_) | Node::Or(_) | Node::Not(_) => return false,
    };
    match field {
        Field::Column(Column::Uid) => {
            let uids = subject.journey.objects.iter().map(|object| object.uid.to_string());
            uids.filter_map(Found::some).any(|found| satisfies(leaf, &found))
        }
        Field::Column(column) if is_own(*column) => {
            column_of(*column, subject).is_some_and(|found| satisfies(leaf, &found))
        }
        _ => subject.own_spans().any(|span| span::holds(leaf, subject.cluster, span)),
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

fn is_own(column: Column) -> bool {
    use Column::{
        Agent, Cluster, Command, Duration, Journey, Kind, Name, Namespace, Reason, State, TraceId, Uid, User, Verb,
    };
    matches!(
        column,
        Agent
            | Cluster
            | Command
            | Duration
            | Journey
            | Kind
            | Name
            | Namespace
            | Reason
            | State
            | TraceId
            | Uid
            | User
            | Verb
    )
}

fn column_of<'a>(column: Column, subject: &Subject<'a>) -> Option<Found<'a>> {
    let journey = subject.journey;
    let root = &journey.root;
    match column {
        Column::Cluster => Found::some(subject.cluster),
        Column::Namespace => Found::some(root.namespace.as_str()),
        Column::Kind => Found::some(object_kind(journey)),
        Column::Name => Found::some(root.name.as_str()),
        Column::User => Found::some(root.user.as_str()),
        Column::Agent => Found::some(root.agent.as_str()),
        Column::Verb => Found::some(root.verb.as_str()),
        Column::Duration => Some(Found::Int(journey.end.since(journey.start))),
        Column::State => Found::some(word(journey.state)),
        Column::Reason => journey.waiting_on.as_ref().and_then(|waiting| Found::some(waiting.reason.as_str())),
        Column::Command => journey.command.and_then(|command| Found::some(command.to_string())),
        Column::Journey | Column::TraceId => Found::some(journey.journey.to_string()),
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
