//! Files that were merged are like those that they were merged of.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use clew_store::Store as _;
use clew_store::lake::{Lake, Options, Retention};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::support::{Native, options, parquet, records, trace};

/// More than the engine hands on at once, so that files which are read side by side would get into each other.
const SPANS: u64 = 20_000;
const TRACES: u128 = 4;

fn reader(path: &Path) -> ParquetRecordBatchReaderBuilder<File> {
    ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap()
}

/// The traces of a file as they follow each other.
fn traces(path: &Path) -> Vec<String> {
    let mut traces: Vec<String> = Vec::new();
    for rows in reader(path).build().unwrap() {
        let rows = rows.unwrap();
        let column = rows.column_by_name("trace_id").unwrap().as_string::<i32>();
        traces.extend(column.iter().flatten().map(str::to_owned));
    }
    traces.dedup();
    traces
}

/// Whatever pages its rows are on, and however many read them.
async fn each_has_its_spans(lake: &Lake) {
    for number in 1..=3 * TRACES {
        let found = lake.trace(trace(number)).await.unwrap();
        let ids: BTreeSet<_> = found.iter().map(|span| span.span_id).collect();
        assert!(found.iter().all(|span| span.trace_id == trace(number)));
        assert_eq!((found.len(), ids.len()), (SPANS as usize / TRACES as usize, SPANS as usize / TRACES as usize));
    }
    assert!(lake.trace(trace(3 * TRACES + 1)).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merged_file_has_the_same_columns_and_what_lay_together_still_does() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables/spans");
    let lake = Lake::open(Options { retention: Retention::FOREVER, ..options(folder.path()) }).await.unwrap();
    for file in 0..3 {
        let spans: Vec<Native> =
            (0..SPANS).map(|span| Native(file * TRACES + u128::from(span) % TRACES + 1, span + 1, 0)).collect();
        lake.append(records(&spans)).await.unwrap();
        lake.flush().await.unwrap();
    }
    let flushed = parquet(&tables);
    assert_eq!(flushed.len(), 3);
    let columns = reader(&flushed[0]).schema().clone();
    each_has_its_spans(&lake).await;
    lake.compact(|_| {}).await.unwrap();
    let merged: Vec<_> = parquet(&tables).into_iter().filter(|path| !flushed.contains(path)).collect();
    let [merged] = merged.as_slice() else { panic!("one file of three: {merged:?}") };
    assert_eq!(*reader(merged).schema(), columns);
    assert_eq!(traces(merged).len(), 3 * TRACES as usize, "each trace in one piece");
    each_has_its_spans(&lake).await;
}
