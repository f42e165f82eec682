//! The values that a name has.

use axum::Json;
use axum::extract::Path;
use clew_store::{Column, Field, Filter, StatisticsOf, StatisticsQuery};
use compact_str::CompactString;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::app::App;
use crate::trace::{Asked, Fault};
use crate::traceql::{Expression, FieldName, Intrinsic, Operand, Scope, Spansets, candidates, field_of, parse};
use crate::viewed::Viewed;

/// Values of an answer, if the caller does not say, and at most.
const VALUES: (usize, usize) = (1_000, 10_000);
const STATUSES: [&str; 3] = ["error", "ok", "unset"];
const KINDS: [&str; 6] = ["client", "consumer", "internal", "producer", "server", "unspecified"];

/// `/api/v2/search/tag/{tag}/values`.
pub(super) async fn values_v2(
    Viewed(app): Viewed,
    Path(tag): Path<String>,
    asked: Asked,
) -> Result<Json<Value>, Fault> {
    let field = field(&tag);
    let (values, keyword) = values(&app, &field, &asked).await?;
    let values =
        values.iter().map(|value| json!({"type": if keyword { "keyword" } else { type_of(value) }, "value": value}));
    let values: Vec<Value> = values.collect();
    Ok(Json(json!({"tagValues": values, "metrics": {"completedJobs": 1, "totalJobs": 1}})))
}

/// `/api/search/tag/{tag}/values`.
pub(super) async fn values_v1(
    Viewed(app): Viewed,
    Path(tag): Path<String>,
    asked: Asked,
) -> Result<Json<Value>, Fault> {
    let (values, _) = values(&app, &field(&tag), &asked).await?;
    Ok(Json(json!({"tagValues": values})))
}

/// The field that a tag names: as in a query, or an attribute of any scope.
fn field(tag: &str) -> FieldName {
    // Grafana encodes the name twice.
    let tag = percent_decode_str(tag).decode_utf8_lossy();
    let parsed = parse(&format!("{{ {tag} != nil }}"));
    match parsed.map(|query| query.spansets) {
        Ok(Spansets::Filter(Some(Expression::Compare(Operand::Field(field), ..)))) => field,
        _ => FieldName::Attribute(Scope::Any, tag.as_ref().into()),
    }
}

/// The values, and whether they are words of the language.
async fn values(app: &App, field: &FieldName, asked: &Asked) -> Result<(Vec<CompactString>, bool), Fault> {
    let words = |words: &[&str]| Ok((words.iter().map(|word| CompactString::from(*word)).collect(), true));
    let column = match field {
        FieldName::Intrinsic(Intrinsic::Status) => return words(&STATUSES),
        FieldName::Intrinsic(Intrinsic::Kind) => return words(&KINDS),
        FieldName::Intrinsic(Intrinsic::RootName) => Column::SpanName.into(),
        FieldName::Intrinsic(Intrinsic::RootServiceName) => Column::Service.into(),
        FieldName::Attribute(_, key) if key == "service.name" => Column::Service.into(),
        FieldName::Intrinsic(Intrinsic::Name | Intrinsic::StatusMessage) | FieldName::Attribute(..) => {
            match field_of(field) {
                Some(column) => column,
                None => return Ok((Vec::new(), false)),
            }
        }
        // Durations and ids have too many values to choose from.
        FieldName::Intrinsic(_) => return Ok((Vec::new(), false)),
    };
    let limit = asked.limit("limit", VALUES.0, VALUES.1)?;
    // A query that is being typed may not be one yet: Tempo then offers all values, and so does clew.
    let filter = asked.get("q").and_then(|text| parse(text).ok()).map(|query| candidates(&query).filter);
    match filter.filter(|filter| *filter != Filter::All) {
        None => Ok((app.store.values(&column, asked.range()?, &Filter::All, limit).await?, false)),
        Some(filter) => Ok((among(app, column, filter, asked, limit).await?, false)),
    }
}

/// The values among the spans that a filter chooses.
async fn among(
    app: &App,
    field: Field,
    filter: Filter,
    asked: &Asked,
    limit: usize,
) -> Result<Vec<CompactString>, Fault> {
    let query = StatisticsQuery {
        of: StatisticsOf::Spans,
        range: asked.range()?,
        filter,
        by: vec![field],
        bucket: None,
        limit,
    };
    let series = app.store.statistics(&query).await?;
    let mut values: Vec<CompactString> =
        series.into_iter().filter_map(|series| series.key.into_iter().next()?).collect();
    values.sort();
    Ok(values)
}

/// The type of a value, which a store tells as text: Grafana puts quotes around text only.
fn type_of(value: &str) -> &'static str {
    if value.parse::<i64>().is_ok() {
        return "int";
    }
    match value {
        "true" | "false" => "bool",
        _ => "string",
    }
}
