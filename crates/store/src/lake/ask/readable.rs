//! Who may see a row, as a condition of the query engine.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::DataFusionError;
use datafusion::error::Result as DataFusionResult;
use datafusion::functions_nested::expr_fn::array_to_string;
use datafusion::logical_expr::{
    ColumnarValue, Expr, LogicalPlan, LogicalPlanBuilder, Volatility, create_udf, in_subquery, not_in_subquery,
};
use datafusion::prelude::{col, lit};

use super::super::fault::query;
use crate::{Result, Rights};

/// No name of a namespace or a kind has it.
const BETWEEN: char = '\n';

/// Whether somebody with these rights may see a row of `journeys`.
pub(super) fn journey(rights: &Arc<Rights>) -> Expr {
    let rights = Arc::clone(rights);
    let decide = Arc::new(move |arguments: &[ColumnarValue]| decide(&rights, arguments));
    let texts = vec![DataType::Utf8, DataType::Utf8];
    let readable = create_udf("readable", texts, DataType::Boolean, Volatility::Immutable, decide);
    readable.call(vec![col("cluster"), array_to_string(col("rights"), lit(BETWEEN.to_string()))])
}

/// Whether they may see a row of `spans`: they may see its journey, and every other journey that its trace is part of,
/// since a trace that the requests of one command share tells of all of them.
pub(super) fn span(rights: &Arc<Rights>, journeys: &LogicalPlan) -> Result<Expr> {
    use std::ops::Not as _;
    let shown =
        || LogicalPlanBuilder::from(journeys.clone()).filter(journey(rights))?.project([col("journey_id")])?.build();
    let hidden = || {
        LogicalPlanBuilder::from(journeys.clone())
            .filter(journey(rights).not())?
            .project([col("segments").alias("segment")])?
            .unnest_column("segment")?
            .filter(col("segment").is_not_null())?
            // The engine finds no column in what was unnested, unless one is named.
            .project([col("segment").alias("hidden")])?
            .build()
    };
    let shown = Arc::new(shown().map_err(|error| query(&error))?);
    let hidden = Arc::new(hidden().map_err(|error| query(&error))?);
    Ok(in_subquery(col("journey_id"), shown).and(not_in_subquery(col("trace_id"), hidden)))
}

fn decide(rights: &Rights, arguments: &[ColumnarValue]) -> DataFusionResult<ColumnarValue> {
    let [clusters, needed] = arguments else {
        return Err(DataFusionError::Plan("readable takes a cluster and rights".to_owned()));
    };
    let rows = match (clusters, needed) {
        (ColumnarValue::Array(array), _) | (_, ColumnarValue::Array(array)) => array.len(),
        _ => 1,
    };
    let (clusters, needed) = (clusters.to_array(rows)?, needed.to_array(rows)?);
    let (clusters, needed) = (clusters.as_string::<i32>(), needed.as_string::<i32>());
    let shown = |row: usize| {
        let text = if needed.is_valid(row) { needed.value(row) } else { "" };
        rights.suffice(clusters.value(row), text.split(BETWEEN).filter(|right| !right.is_empty()))
    };
    let shown: BooleanArray = (0..rows).map(|row| Some(clusters.is_valid(row) && shown(row))).collect();
    Ok(ColumnarValue::Array(Arc::new(shown)))
}
