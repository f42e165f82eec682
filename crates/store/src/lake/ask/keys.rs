//! Which values a field has, and which attributes there are.

use std::collections::BTreeSet;

use compact_str::CompactString;
use datafusion::functions_nested::expr_fn::map_keys;
use datafusion::prelude::{col, lit};

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::Table;
use super::fields::as_text;
use super::rows::{frame, run, texts};
use super::time::keep;
use crate::{Column, Field, Filter, Result, Right, TimeRange};

/// How many values or keys are given at most.
const VALUES: usize = 10_000;

impl Lake {
    pub(in crate::lake) async fn list_values(
        &self,
        field: &Field,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<CompactString>> {
        let of_journey = matches!(field, Field::Column(Column::State | Column::Reason | Column::Command));
        let table = if of_journey { Table::Journeys } else { Table::Spans };
        let Some(value) = as_text(table, field) else { return Ok(Vec::new()) };
        let rows = self.matching(table, range, filter).await?;
        let rows = rows
            .select(vec![value.alias("value")])
            .and_then(|rows| rows.filter(col("value").is_not_null().and(col("value").not_eq(lit("")))))
            .and_then(datafusion::prelude::DataFrame::distinct)
            .and_then(|rows| rows.sort(vec![col("value").sort(true, false)]))
            .and_then(|rows| rows.limit(0, Some(limit.clamp(1, VALUES))));
        let mut values = Vec::new();
        for batch in run(rows.map_err(|error| query(&error))?).await? {
            values.extend(texts(&batch, 0)?.into_iter().map(CompactString::from));
        }
        Ok(values)
    }

    pub(in crate::lake) async fn list_keys(
        &self,
        range: TimeRange,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<CompactString>, Vec<CompactString>)> {
        let limit = limit.clamp(1, VALUES);
        let mut own = BTreeSet::new();
        for map in ["attributes_string", "attributes_int", "attributes_double", "attributes_bool", "attributes_json"] {
            let rows = self.matching(Table::Spans, range, filter).await?;
            let rows = rows
                .select(vec![map_keys(col(map)).alias("key")])
                .and_then(|rows| rows.unnest_columns(&["key"]))
                .and_then(|rows| rows.filter(col("key").is_not_null()))
                .and_then(datafusion::prelude::DataFrame::distinct)
                .and_then(|rows| rows.limit(0, Some(limit)));
            for batch in run(rows.map_err(|error| query(&error))?).await? {
                own.extend(texts(&batch, 0)?.into_iter().map(CompactString::from));
            }
        }
        let rows = self.matching(Table::Spans, range, filter).await?;
        let rows = rows
            .select_columns(&["resource"])
            .and_then(datafusion::prelude::DataFrame::distinct)
            .and_then(|rows| rows.limit(0, Some(VALUES)));
        let mut resource = BTreeSet::new();
        let rows = keep(rows.map_err(|error| query(&error))?, col("resource").is_not_null())?;
        for batch in run(rows).await? {
            for text in texts(&batch, 0)? {
                if let Ok(serde_json::Value::Object(map)) = serde_json::from_str(&text) {
                    resource.extend(map.into_iter().map(|(key, _)| CompactString::from(key)));
                }
            }
        }
        Ok((own.into_iter().take(limit).collect(), resource.into_iter().take(limit).collect()))
    }
    pub(in crate::lake) async fn list_rights(&self, cluster: &str, limit: usize) -> Result<Vec<Right>> {
        let rows = keep(frame(&self.shared, Table::Journeys).await?, col("cluster").eq(lit(cluster)))?;
        let rows = rows
            .select(vec![col("rights").alias("needed")])
            .and_then(|rows| rows.unnest_columns(&["needed"]))
            .and_then(|rows| rows.filter(col("needed").is_not_null()))
            .and_then(datafusion::prelude::DataFrame::distinct)
            .and_then(|rows| rows.limit(0, Some(limit)));
        let mut rights = Vec::new();
        for batch in run(rows.map_err(|error| query(&error))?).await? {
            rights.extend(texts(&batch, 0)?.iter().filter_map(|text| text.parse().ok()));
        }
        Ok(rights)
    }
}
