//! Which files are read for a question.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clew_model::Time;
use clew_store::lake::Lake;
use clew_store::{
    Column, Comparison, Field, Filter, Hit, Hits, JourneyQuery, Operand, SpanQuery, Store as _, TimeRange,
};
use clew_weave::State;

use crate::support::{BEGIN, Native, SECOND, count, open, options, parquet, records, trace, woven};

/// A lake with one file for each of these traces, an hour apart.
async fn one_file_each(folder: &Path, traces: u128) -> Vec<PathBuf> {
    let lake = open(folder).await;
    let mut files: Vec<PathBuf> = Vec::new();
    for number in 1..=traces {
        let hour = i64::try_from(number).unwrap() * 3600;
        let spans: Vec<Native> =
            (0..10).map(|span| Native(number, span + 1, hour + i64::try_from(span).unwrap())).collect();
        lake.append(records(&spans)).await.unwrap();
        lake.flush().await.unwrap();
        let new = parquet(&folder.join("tables/spans")).into_iter().find(|path| !files.contains(path));
        files.push(new.expect("a file more"));
    }
    lake.close().await.unwrap();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_have_an_id_or_a_time_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let files = one_file_each(folder.path(), 4).await;
    let lake = open(folder.path()).await;
    assert_eq!(lake.trace(trace(5)).await.unwrap().len(), 0, "from now on it is known which ids each file has");
    std::fs::remove_file(&files[1]).unwrap();
    for number in [1, 3, 4] {
        assert_eq!(lake.trace(trace(number)).await.unwrap().len(), 10);
    }
    assert!(lake.trace(trace(2)).await.is_err(), "the file that has it is gone");
    let since = Time::from_nanos(BEGIN + 3 * 3600 * SECOND);
    let query = SpanQuery { range: TimeRange { from: Some(since), to: None }, limit: 100, ..SpanQuery::default() };
    assert_eq!(lake.spans(&query).await.unwrap().len(), 20);
    let day = "select trace_id from spans where start_unix_nano >= 1800010800000000000";
    assert_eq!(count(&lake, day).await, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_beyond_what_is_known_in_memory_are_opened_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let files = one_file_each(folder.path(), 3).await;
    let mut options = options(folder.path());
    options.limits.known_rows = 15;
    let lake = Lake::open(options.clone()).await.unwrap();
    for number in [3, 2, 1] {
        assert_eq!(lake.trace(trace(number)).await.unwrap().len(), 10);
    }
    // A file more pushes another out of what is known.
    lake.append(records(&[Native(4, 1, 4 * 3600)])).await.unwrap();
    lake.flush().await.unwrap();
    assert_eq!((lake.trace(trace(4)).await.unwrap().len(), lake.trace(trace(3)).await.unwrap().len()), (1, 10));
    drop(lake);
    std::fs::remove_file(&files[0]).unwrap();
    let lake = Lake::open(options).await.unwrap();
    assert!(lake.trace(trace(7)).await.is_err(), "of an old file it is not known which ids it has");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_several_pages_is_read_in_parts_and_has_each_span_once() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let spans = |number: u128, count: u64| (1..=count).map(move |span| Native(number, span, 0));
    let all: Vec<Native> = spans(1, 3000).chain(spans(2, 5000)).chain(spans(3, 3000)).collect();
    for some in all.chunks(1000) {
        lake.append(records(some)).await.unwrap();
    }
    lake.flush().await.unwrap();
    // Of one trace there is more in memory.
    lake.append(records(&[Native(2, 5001, -1)])).await.unwrap();
    let found = lake.trace(trace(2)).await.unwrap();
    let ids: BTreeSet<_> = found.iter().map(|span| span.span_id).collect();
    assert_eq!((found.len(), ids.len()), (5001, 5001));
    assert!(found.is_sorted_by_key(|span| (span.start, span.span_id)));
    assert!(found.iter().all(|span| span.trace_id == trace(2)));
    let both = lake.traces(&[trace(3), trace(1), trace(4)], 10_000).await.unwrap();
    assert_eq!((both.len(), both.iter().filter(|span| span.trace_id == trace(3)).count()), (6000, 3000));
    assert_eq!(lake.traces(&[trace(1), trace(2)], 4000).await.unwrap().len(), 4000, "no more than asked for");
    assert_eq!(lake.traces(&[], 10).await.unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn hits_are_the_newest_over_all_files_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    one_file_each(folder.path(), 3).await;
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(9, 1, 3600 + 4)])).await.unwrap();
    let Hits { hits, more } = lake.hits(&SpanQuery { limit: 26, ..SpanQuery::default() }, usize::MAX).await.unwrap();
    assert!(more);
    let spans = lake.spans(&SpanQuery { limit: 26, ..SpanQuery::default() }).await.unwrap();
    let of_spans: Vec<Hit> =
        spans.iter().map(|span| Hit { trace: span.trace_id, start: span.start, woven: false }).collect();
    assert_eq!(hits, of_spans);
    assert!(hits.is_sorted_by_key(|hit| std::cmp::Reverse(hit.start)));
    assert_eq!(hits.iter().filter(|hit| hit.trace == trace(9)).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn older_spans_are_not_looked_for_when_there_are_enough_traces() {
    let folder = tempfile::tempdir().unwrap();
    let files = one_file_each(folder.path(), 4).await;
    let mut options = options(folder.path());
    options.limits.recent_rows = [5, 15];
    let lake = Lake::open(options).await.unwrap();
    let found = async |traces: usize, limit: usize| {
        lake.hits(&SpanQuery { limit, ..SpanQuery::default() }, traces).await.map(|Hits { hits, more }| {
            let ids: BTreeSet<_> = hits.iter().map(|hit| hit.trace).collect();
            (hits.len(), ids.into_iter().collect::<Vec<_>>(), more)
        })
    };
    let all = vec![trace(1), trace(2), trace(3), trace(4)];
    assert_eq!(found(usize::MAX, 100).await.unwrap(), (40, all.clone(), false));
    assert_eq!(found(3, 100).await.unwrap(), (40, all.clone(), false), "the recent rows have two");
    assert_eq!(found(usize::MAX, 40).await.unwrap(), (40, all, true), "there may be more than the limit");
    for old in &files[..2] {
        std::fs::remove_file(old).unwrap();
    }
    let (count, traces, more) = found(1, 100).await.unwrap();
    assert!((1..10).contains(&count) && more, "{count}");
    assert_eq!(traces, [trace(4)]);
    let (count, traces, more) = found(2, 100).await.unwrap();
    assert!((11..20).contains(&count) && more, "{count}");
    assert_eq!(traces, [trace(3), trace(4)]);
    assert!(found(3, 100).await.is_err(), "older ones are gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn journeys_are_found_by_their_spans_without_reading_what_is_old_or_belongs_to_none() {
    const DAY: i64 = 24 * 3600;
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(7, 1, 3 * DAY)])).await.unwrap();
    for (number, day) in [(1, 0), (2, 3)] {
        lake.weave(woven(number, State::Converged, day * DAY)).await.unwrap();
        lake.flush().await.unwrap();
    }
    let span = Filter::Compare(Field::Column(Column::SpanName), Comparison::Equal, Operand::Text("create pods".into()));
    let asked = |from: Option<i64>| JourneyQuery {
        filter: span.clone(),
        range: TimeRange { from: from.map(|day| Time::from_nanos(BEGIN + day * DAY * SECOND)), to: None },
        limit: 10,
        ..JourneyQuery::default()
    };
    assert_eq!(lake.journeys(&asked(None)).await.unwrap().items.len(), 2);
    let spans = parquet(&folder.path().join("tables/spans"));
    assert_eq!(spans.len(), 3);
    let newest = spans.iter().map(|path| path.parent().unwrap().file_name().unwrap()).max().unwrap();
    let is_read =
        |path: &Path| path.to_string_lossy().contains("class=journey") && path.parent().unwrap().ends_with(newest);
    for path in spans.iter().filter(|path| !is_read(path)) {
        std::fs::remove_file(path).unwrap();
    }
    let found = lake.journeys(&asked(Some(2))).await.unwrap().items;
    assert_eq!(found.iter().map(|row| row.journey.journey).collect::<Vec<_>>(), [trace(2)]);
    assert!(lake.journeys(&asked(None)).await.is_err(), "the spans of the first are gone");
}
