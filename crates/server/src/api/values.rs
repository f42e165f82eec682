//! The values that a field has, for those who type.

use axum::extract::Path;
use axum::response::Response;
use clew_store::{Column, Field, Filter, StatisticsOf, StatisticsQuery, Store};
use compact_str::CompactString;
use serde::Serialize;

use super::asked::Asked;
use super::journeys::json;
use crate::clock::now;
use crate::error::ApiError;
use crate::parameters::{FILTERS, Selection, column};
use crate::viewed::Viewed;

const VALUES: usize = 50;
const MAX_VALUES: usize = 1000;
/// How many values are looked through for those that begin as was typed.
const LOOKED_THROUGH: usize = 10_000;

#[derive(Serialize)]
struct Values {
    values: Vec<CompactString>,
}

/// The values of a field that begin with a prefix, in their order.
pub(super) async fn list(
    Viewed(app): Viewed,
    Path(field): Path<String>,
    Asked(asked): Asked,
) -> Result<Response, ApiError> {
    asked.only(&[FILTERS, &["prefix", "limit"]])?;
    let field = column("field", &field)?;
    let selection = Selection::read(&asked, now())?;
    let limit = asked.number("limit", VALUES, MAX_VALUES)?;
    let prefix = asked.one("prefix")?.unwrap_or_default().to_lowercase();
    let ask_for = if prefix.is_empty() { limit } else { LOOKED_THROUGH };
    let values = match selection.filter {
        // A journey's own fields are told as its rows spell them; spans spell kinds in other ways.
        Filter::All if !is_of_journeys(&field) => {
            app.store.values(&field, selection.range, &Filter::All, ask_for).await?
        }
        _ => counted(&*app.store, field, selection, ask_for).await?,
    };
    let values = values.into_iter().filter(|value| !value.is_empty() && value.to_lowercase().starts_with(&prefix));
    json(&Values { values: values.take(limit).collect() })
}

/// The values that the journeys, or else the spans, that are meant have.
async fn counted(
    store: &dyn Store,
    field: Field,
    selection: Selection,
    limit: usize,
) -> clew_store::Result<Vec<CompactString>> {
    let of = if is_of_journeys(&field) { StatisticsOf::Journeys } else { StatisticsOf::Spans };
    let (range, filter) = (selection.range, selection.filter);
    let query = StatisticsQuery { of, range, filter, by: vec![field], bucket: None, limit };
    let series = store.statistics(&query).await?;
    let mut values: Vec<CompactString> =
        series.into_iter().filter_map(|series| series.key.into_iter().next()?).collect();
    values.sort();
    Ok(values)
}

fn is_of_journeys(field: &Field) -> bool {
    use Column::{Agent, Cluster, Command, Kind, Name, Namespace, Reason, State, User, Verb};
    let Field::Column(column) = field else { return false };
    matches!(column, Agent | Cluster | Command | Kind | Name | Namespace | Reason | State | User | Verb)
}
