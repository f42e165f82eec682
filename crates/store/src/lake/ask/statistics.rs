//! Counts and percentiles.

use clew_model::Time;
use compact_str::CompactString;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast as cast_array;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::functions_aggregate::expr_fn::{approx_percentile_cont, count, max, sum};
use datafusion::logical_expr::{Expr, cast, when};
use datafusion::prelude::{col, lit};
use rustc_hash::FxHashMap;

use super::super::engine::Lake;
use super::super::fault::{broken, query};
use super::super::table::Table;
use super::fields::as_text;
use super::rows::{numbers, run};
use crate::{Bucket, Quantiles, Result, Series, StatisticsOf, StatisticsQuery, StoreError};

/// How many series and buckets are worked out at most.
const ROWS: usize = 200_000;
/// What of the distribution is told.
const QUANTILES: [f64; 4] = [0.5, 0.9, 0.95, 0.99];

impl Lake {
    pub(in crate::lake) async fn count(&self, asked: &StatisticsQuery) -> Result<Vec<Series>> {
        let table = match asked.of {
            StatisticsOf::Journeys => Table::Journeys,
            StatisticsOf::Spans => Table::Spans,
            StatisticsOf::Runs => Table::Runs,
        };
        let mut groups = Vec::with_capacity(asked.by.len() + 1);
        for (place, field) in asked.by.iter().enumerate() {
            let wrong = || StoreError::Query(format!("{} have no {field:?}", table.name()));
            groups.push(as_text(table, field).ok_or_else(wrong)?.alias(format!("by{place}")));
        }
        groups.push(bucket(asked)?.alias("bucket"));
        let rows = self.matching(table, asked.range, &asked.filter).await?;
        let rows = rows.aggregate(groups, measures(table).map_err(|error| query(&error))?);
        let rows = rows.and_then(|rows| rows.limit(0, Some(ROWS))).map_err(|error| query(&error))?;
        let mut series: FxHashMap<Vec<Option<CompactString>>, Vec<Bucket>> = FxHashMap::default();
        for batch in run(rows).await? {
            for (key, bucket) in read(&batch, asked.by.len())? {
                series.entry(key).or_default().push(bucket);
            }
        }
        Ok(largest(series, asked.limit))
    }
}

fn bucket(asked: &StatisticsQuery) -> Result<Expr> {
    let Some(width) = asked.bucket else { return Ok(lit(asked.range.from.map_or(0, Time::as_nanos))) };
    let width = i64::try_from(width.as_nanos()).ok().filter(|width| *width > 0);
    let width = width.ok_or_else(|| StoreError::Query("a bucket must have a width".to_owned()))?;
    Ok(col("start_unix_nano") - col("start_unix_nano") % lit(width))
}

fn measures(table: Table) -> datafusion::error::Result<Vec<Expr>> {
    let failed = match table {
        Table::Journeys => col("state").in_list(vec![lit("failed"), lit("stuck")], false),
        _ => col("status").eq(lit("error")),
    };
    let duration = || cast(col("duration_nano"), DataType::Float64);
    let mut measures = vec![count(lit(1)).alias("count"), sum(when(failed, lit(1)).otherwise(lit(0))?).alias("errors")];
    for (place, quantile) in QUANTILES.into_iter().enumerate() {
        let value = approx_percentile_cont(duration().sort(true, false), lit(quantile), None);
        measures.push(value.alias(format!("q{place}")));
    }
    measures.extend([max(duration()).alias("max"), sum(duration()).alias("sum")]);
    Ok(measures)
}

type Keyed = (Vec<Option<CompactString>>, Bucket);

fn read(rows: &RecordBatch, by: usize) -> Result<Vec<Keyed>> {
    let as_type =
        |column: usize, kind: &DataType| cast_array(rows.column(column), kind).map_err(|error| broken(&error));
    let keys = (0..by).map(|column| as_type(column, &DataType::Utf8)).collect::<Result<Vec<_>>>()?;
    let (starts, counts, errors) = (numbers(rows, by)?, numbers(rows, by + 1)?, numbers(rows, by + 2)?);
    let values = (by + 3..by + 9).map(|column| as_type(column, &DataType::Float64)).collect::<Result<Vec<_>>>()?;
    let read = |row: usize| {
        let key = keys.iter().map(AsArray::as_string::<i32>);
        let key = key.map(|key| key.is_valid(row).then(|| CompactString::from(key.value(row)))).collect();
        let value = |place: usize| values[place].as_primitive::<Float64Type>().value(row);
        let duration = values[4].is_valid(row).then(|| Quantiles {
            p50: value(0),
            p90: value(1),
            p95: value(2),
            p99: value(3),
            max: value(4),
            sum: value(5),
        });
        let number = |number: i64| u64::try_from(number).unwrap_or(0);
        let (count, errors) = (number(counts[row]), number(errors[row]));
        (key, Bucket { start: Time::from_nanos(starts[row]), count, errors, duration })
    };
    Ok((0..rows.num_rows()).map(read).collect())
}

fn largest(series: FxHashMap<Vec<Option<CompactString>>, Vec<Bucket>>, limit: usize) -> Vec<Series> {
    let mut series: Vec<Series> = series
        .into_iter()
        .map(|(key, mut buckets)| {
            buckets.sort_by_key(|bucket| bucket.start);
            Series { key, buckets }
        })
        .collect();
    let total = |series: &Series| series.buckets.iter().map(|bucket| bucket.count).sum::<u64>();
    series.sort_by(|one, other| total(other).cmp(&total(one)).then_with(|| one.key.cmp(&other.key)));
    series.truncate(limit);
    series
}
