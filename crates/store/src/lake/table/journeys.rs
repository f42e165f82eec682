//! Journeys as rows of their table, and back.

use std::sync::Arc;

use clew_weave::{Journey, State};
use datafusion::arrow::array::builder::ListBuilder;
use datafusion::arrow::array::{ArrayRef, Date32Array, Int64Array, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field};

use super::{Table, day_of};
use crate::lake::fault::{broken, damaged};
use crate::{Result, Right};

/// What is known about a journey beside itself.
pub(in crate::lake) struct JourneyFacts<'a> {
    /// The cluster.
    pub(in crate::lake) cluster: &'a str,
    /// How many of its spans failed.
    pub(in crate::lake) errors: u64,
    /// A hash of all of it, so that nothing is written twice.
    pub(in crate::lake) digest: &'a str,
    /// The journey as JSON.
    pub(in crate::lake) json: &'a str,
}

/// A journey as one row.
pub(in crate::lake) fn journey_row(journey: &Journey, facts: &JourneyFacts<'_>) -> Result<RecordBatch> {
    let root = &journey.root;
    let object = journey.objects.iter().find(|object| object.name == root.name && object.namespace == root.namespace);
    let waiting = journey.waiting_on.as_ref();
    let ended = journey.state != State::Open;
    let id = journey.journey.to_string();
    let uid = object.map(|object| object.uid.to_string());
    let audit = root.audit.as_ref().map(ToString::to_string);
    let command = journey.command.map(|command| command.to_string());
    let texts = [
        Some(id.as_str()),
        Some(facts.cluster),
        Some(root.namespace.as_str()),
        Some(object.map_or(root.resource.as_str(), |object| object.kind.as_str())),
        Some(root.name.as_str()),
        uid.as_deref(),
        Some(root.user.as_str()),
        Some(root.agent.as_str()),
        Some(root.verb.as_str()),
        Some(root.resource.as_str()),
        Some(root.subresource.as_str()),
        Some(root_kind(journey)),
        audit.as_deref(),
        Some(state(journey.state)),
        waiting.map(|waiting| waiting.reason.as_str()),
        waiting.map(|waiting| waiting.message.as_str()),
        command.as_deref(),
    ];
    let count = |number: usize| i64::try_from(number).ok();
    let numbers = [
        Some(journey.start.as_nanos()),
        Some(journey.end.as_nanos()),
        ended.then(|| journey.end.since(journey.start).max(0)),
        count(journey.spans),
        i64::try_from(facts.errors).ok(),
        count(journey.objects.len()),
    ];
    let search = search_text(journey, facts.cluster);
    let mut columns: Vec<ArrayRef> = vec![Arc::new(Date32Array::from(vec![day_of(journey.start.as_nanos())]))];
    columns.extend(texts.map(text));
    columns.extend(numbers.map(|number| Arc::new(Int64Array::from(vec![number])) as ArrayRef));
    columns.push(list(journey.objects.iter().map(|object| object.uid.to_string())));
    columns.push(list(journey.segments.iter().map(ToString::to_string)));
    columns.push(list(Right::needed(journey).iter().map(ToString::to_string)));
    columns.extend([Some(search.as_str()), Some(facts.json), Some(facts.digest)].map(text));
    RecordBatch::try_new(Table::Journeys.schema(), columns).map_err(|error| broken(&error))
}

/// The journey that a row holds.
pub(in crate::lake) fn read_journey(json: &str) -> Result<Journey> {
    serde_json::from_str(json).map_err(|error| damaged("journeys", error.to_string()))
}

fn text(text: Option<&str>) -> ArrayRef {
    // No more room than the text needs: each row is an array of its own, and is kept.
    let mut one = StringBuilder::with_capacity(1, text.map_or(0, str::len));
    one.append_option(text);
    Arc::new(one.finish())
}

fn list(texts: impl Iterator<Item = String>) -> ArrayRef {
    let element = Arc::new(Field::new("element", DataType::Utf8, true));
    let mut list = ListBuilder::with_capacity(StringBuilder::with_capacity(0, 0), 1).with_field(element);
    texts.for_each(|text| list.values().append_value(text));
    list.append(true);
    Arc::new(list.finish())
}

/// What a person may look for, in lower case.
fn search_text(journey: &Journey, cluster: &str) -> String {
    let root = &journey.root;
    let waiting = journey.waiting_on.as_ref();
    let mut words: Vec<&str> = vec![cluster, &root.verb, &root.resource, &root.subresource, &root.user, &root.agent];
    words.extend(waiting.into_iter().flat_map(|waiting| [waiting.reason.as_str(), waiting.message.as_str()]));
    words.extend(journey.findings.iter().map(|finding| finding.message.as_str()));
    let mut text = format!("{} {}", journey.journey, words.join(" "));
    for name in [&root.namespace, &root.name] {
        text.push(' ');
        text.push_str(name);
    }
    for object in &journey.objects {
        if object.name != root.name || object.namespace != root.namespace {
            text.extend([" ", &object.kind, "/", &object.namespace, "/", &object.name]);
        }
    }
    text.to_lowercase()
}

/// The word for how a journey stands.
const fn state(state: State) -> &'static str {
    match state {
        State::Open => "open",
        State::Converged => "converged",
        State::Failed => "failed",
        State::Stuck => "stuck",
    }
}

fn root_kind(journey: &Journey) -> &'static str {
    use clew_weave::RootKind::{External, Request, Timer};
    match journey.root.kind {
        Request => "request",
        Timer => "timer",
        External => "external",
    }
}
