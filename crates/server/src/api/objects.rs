//! The history of one object: every write that was seen, with what it changed.

use std::collections::HashSet;

use axum::response::Response;
use clew_model::TraceId;
use clew_store::{
    AttributeScope, Column, Comparison, Field, Filter, JourneyQuery, JourneyRow, Operand, SpanQuery, Store,
};
use clew_weave::fact::Condition;
use serde::Serialize;

use super::asked::Asked;
use super::journeys::json;
use crate::clock::now;
use crate::error::ApiError;
use crate::parameters::{BadParameter, Parameters, Selection};
use crate::view::{Change, ObjectView, Row, changes, conditions, object_of};
use crate::viewed::Viewed;

const CHANGES: usize = 200;
const MAX_CHANGES: usize = 2000;
/// How many journeys are shown beside the changes.
const JOURNEYS: usize = 50;

#[derive(Serialize)]
struct History<'a> {
    object: ObjectView<'a>,
    changes: Vec<Change<'a>>,
    journeys: Vec<Row<'a>>,
    /// What its controllers said of it when it was last seen.
    conditions: Vec<Condition>,
}

/// What happened to an object, newest first.
pub(super) async fn history(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[&["uid", "cluster", "kind", "namespace", "name", "since", "until", "limit"]])?;
    named(&asked)?;
    let selection = Selection::read(&asked, now())?;
    let about = |kind, limit| SpanQuery {
        range: selection.range,
        filter: Filter::And(vec![selection.filter.clone(), is_a(kind)]),
        limit,
        woven: true,
    };
    let spans = app.store.spans(&about("request", asked.number("limit", CHANGES, MAX_CHANGES)?)).await?;
    let Some(newest) = spans.first() else {
        return Err(ApiError::not_found(
            "no write to this object was seen: check its names, or ask for an earlier time",
        ));
    };
    let rows = journeys(&*app.store, spans.iter().map(|span| span.trace_id)).await?;
    let states = app.store.spans(&about("object", JOURNEYS)).await?;
    let usual = app.usual().await;
    let object = object_of(newest, &rows);
    let uid = object.uid;
    json(&History {
        object,
        changes: changes(&spans),
        journeys: rows.iter().map(|row| Row::new(row, usual.of(&row.cluster, &row.journey))).collect(),
        conditions: conditions(&states, uid),
    })
}

/// An object is named by its UID, or else by all that names it.
fn named(asked: &Parameters) -> Result<(), BadParameter> {
    if asked.one("uid")?.is_some() {
        return Ok(());
    }
    match ["kind", "name"].into_iter().find(|name| asked.all(name).next().is_none()) {
        Some(missing) => {
            Err(BadParameter::new(missing, "is missing: name the object by uid, or by kind, namespace and name"))
        }
        None => Ok(()),
    }
}

fn is_a(kind: &str) -> Filter {
    let field = Field::Attribute(AttributeScope::Span, "clew.kind".into());
    Filter::Compare(field, Comparison::Equal, Operand::Text(kind.into()))
}

/// The journeys that the writes belong to, newest first.
async fn journeys(store: &dyn Store, ids: impl Iterator<Item = TraceId>) -> clew_store::Result<Vec<JourneyRow>> {
    let mut seen = HashSet::new();
    let ids = ids.filter(|id| seen.insert(*id)).take(JOURNEYS);
    let is =
        |id: TraceId| Filter::Compare(Column::Journey.into(), Comparison::Equal, Operand::Text(id.to_string().into()));
    let query = JourneyQuery { filter: Filter::Or(ids.map(is).collect()), limit: JOURNEYS, ..JourneyQuery::default() };
    Ok(store.journeys(&query).await?.items)
}
