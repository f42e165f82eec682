//! Spans go to their table the same way whether somebody asked for them before or not.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use clew_store::lake::Lake;
use clew_store::{SpanQuery, Store};
use clew_weave::State;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::support::{Native, count, open, parquet, records, trace, woven};

const DAY: i64 = 24 * 3600;
const ALL: &str = "select class, day, journey_id, trace_id, span_id, start_unix_nano, name, kind, namespace, \
                   attributes_string, attributes_int, attributes_order, resource, scope from spans order by span_id";

/// When somebody asks for spans.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Never,
    Between,
    After,
}

/// Requests whose spans lie between each other's: of two journeys and of none, of two days.
async fn filled(folder: &Path, asked: Asked) -> Lake {
    let lake = open(folder).await;
    lake.weave(woven(2, State::Converged, 0)).await.unwrap();
    for request in 0..6_u64 {
        if asked == Asked::Between && request == 3 {
            assert_eq!(count(&lake, "select span_id from spans where class <> 'journey'").await, 120);
        }
        let spans = (0..40_u64).map(|place| {
            let number = request * 40 + place;
            let of = [1002, 1001, 5, 4][(number * 7 % 4) as usize];
            Native(of, number + 1, (number as i64 * 13 % 40) + (number as i64 / 4 % 2) * DAY)
        });
        lake.append(records(&spans.collect::<Vec<_>>())).await.unwrap();
    }
    // What belongs to this one came before it.
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    if asked == Asked::After {
        assert_eq!(count(&lake, "select span_id from spans where class = 'segment'").await, 120);
    }
    lake.flush().await.unwrap();
    lake
}

async fn rows(lake: &Lake) -> Vec<String> {
    let batches = lake.sql(ALL, Default::default()).await.unwrap();
    let rows = |batch: &RecordBatch| (0..batch.num_rows()).map(|row| format!("{:?}", batch.slice(row, 1))).collect();
    batches.iter().flat_map::<Vec<String>, _>(rows).collect()
}

/// The journey, trace and start of each row of each file.
fn files(folder: &Path) -> Vec<Vec<(Option<String>, String, i64)>> {
    let rows = |path| {
        let file = std::fs::File::open(path).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        reader.flat_map(|batch| order(&batch.unwrap())).collect()
    };
    parquet(&folder.join("tables/spans")).into_iter().map(rows).collect()
}

fn order(batch: &RecordBatch) -> Vec<(Option<String>, String, i64)> {
    let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().clone();
    let (journeys, traces) = (text("journey_id"), text("trace_id"));
    let starts = batch.column_by_name("start_unix_nano").unwrap();
    let starts = starts.as_primitive::<arrow_array::types::Int64Type>().clone();
    let journey = |row| journeys.is_valid(row).then(|| journeys.value(row).to_owned());
    (0..batch.num_rows()).map(|row| (journey(row), traces.value(row).to_owned(), starts.value(row))).collect()
}

#[tokio::test]
async fn spans_are_the_same_in_the_lake_whenever_somebody_asked_for_them() {
    let mut seen: Option<Vec<String>> = None;
    for asked in [Asked::Never, Asked::Between, Asked::After] {
        let folder = tempfile::tempdir().unwrap();
        let lake = filled(folder.path(), asked).await;
        let rows = rows(&lake).await;
        assert_eq!(rows.len(), 240 + 4, "two journeys have two spans of their own");
        assert_eq!(*seen.get_or_insert(rows.clone()), rows);
        let files = files(folder.path());
        // Segments and background of two days, and the journeys.
        assert_eq!(files.len(), 5);
        for rows in files {
            assert!(rows.is_sorted(), "a file is in the order of its table");
        }
        assert_eq!(lake.trace(trace(1001)).await.unwrap().len(), 60);
    }
}

#[tokio::test]
async fn many_spans_are_given_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    for request in 0..3_u64 {
        let spans =
            (0..1000).map(|place| Native(7, request * 1000 + place + 1, i64::try_from(place * 3 + request).unwrap()));
        lake.append(records(&spans.collect::<Vec<_>>())).await.unwrap();
    }
    lake.flush().await.unwrap();
    let newest = lake.spans(&SpanQuery { limit: 10_000, ..SpanQuery::default() }).await.unwrap();
    assert_eq!(newest.len(), 3000);
    assert!(newest.is_sorted_by(|one, other| one.start > other.start));
    let of_trace = lake.trace(trace(7)).await.unwrap();
    assert!(of_trace.iter().eq(newest.iter().rev()));
}

#[tokio::test]
async fn many_small_requests_are_found_whole_however_often_somebody_asks() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let all = "select span_id from spans";
    for request in 1..=1500_u64 {
        lake.append(records(&[Native(u128::from(request), request, 0)])).await.unwrap();
        if request % 700 == 0 {
            assert_eq!(count(&lake, all).await as u64, request);
        }
    }
    assert_eq!(count(&lake, all).await, 1500);
    lake.flush().await.unwrap();
    assert_eq!(count(&lake, all).await, 1500);
    assert_eq!(lake.trace(trace(1400)).await.unwrap().len(), 1);
}
