//! Journeys: the newest version wins, wherever it is.

use std::time::Duration;

use clew_store::lake::Lake;
use clew_store::{
    Checkpoint, Column, Comparison, Filter, JourneyQuery, Operand, Position, StatisticsOf, StatisticsQuery, Store,
    TimeRange,
};
use clew_weave::State;

use crate::support::{Native, count, open, options, records, trace, woven};

fn all(limit: usize) -> JourneyQuery {
    JourneyQuery { limit, ..JourneyQuery::default() }
}

async fn states(lake: &Lake) -> Vec<(u128, State)> {
    let page = lake.journeys(&all(100)).await.unwrap();
    let number = |row: &clew_store::JourneyRow| u128::from_be_bytes(row.journey.journey.to_bytes());
    page.items.iter().map(|row| (number(row), row.journey.state)).collect()
}

async fn rows(lake: &Lake, table: &str) -> usize {
    count(lake, &format!("select journey_id from {table}")).await
}

#[tokio::test]
async fn the_newest_version_of_a_journey_wins_in_memory_and_in_the_lake() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Open, 0)).await.unwrap();
    lake.weave(woven(2, State::Converged, 1)).await.unwrap();
    assert_eq!(states(&lake).await, [(2, State::Converged), (1, State::Open)]);
    lake.flush().await.unwrap();
    assert_eq!(states(&lake).await, [(2, State::Converged), (1, State::Open)]);
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.weave(woven(2, State::Failed, 1)).await.unwrap();
    assert_eq!(states(&lake).await, [(2, State::Failed), (1, State::Converged)]);
    assert_eq!(rows(&lake, "spans").await, 4);
    lake.flush().await.unwrap();
    assert_eq!(states(&lake).await, [(2, State::Failed), (1, State::Converged)]);
    assert_eq!((rows(&lake, "spans").await, rows(&lake, "edges").await, rows(&lake, "journeys").await), (4, 4, 2));
    let health = lake.health().await.unwrap();
    assert_eq!(health.tables.iter().map(|table| table.hot_rows).sum::<u64>(), 0);
}

#[tokio::test]
async fn a_journey_that_a_restart_weaves_again_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.flush().await.unwrap();
    let version = lake.health().await.unwrap().tables[2].version;
    drop(lake);
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.flush().await.unwrap();
    assert_eq!(lake.health().await.unwrap().tables[2].version, version);
    assert_eq!(rows(&lake, "journeys").await, 1);
}

#[tokio::test]
async fn a_retired_journey_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.flush().await.unwrap();
    let mut parent = woven(2, State::Converged, 1);
    parent.upserts.retired = vec![trace(1)];
    lake.weave(parent).await.unwrap();
    assert_eq!(states(&lake).await, [(2, State::Converged)]);
    assert_eq!(lake.journey(trace(1)).await.unwrap().map(|detail| detail.journey), None);
    lake.flush().await.unwrap();
    assert_eq!((rows(&lake, "spans").await, rows(&lake, "edges").await, rows(&lake, "journeys").await), (2, 2, 1));
}

#[tokio::test]
async fn a_journey_has_its_spans_edges_and_native_spans_whenever_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(1001, 1, 1), Native(5, 2, 1)])).await.unwrap();
    lake.flush().await.unwrap();
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.append(records(&[Native(1001, 3, 2)])).await.unwrap();
    for _ in 0..2 {
        let detail = lake.journey(trace(1)).await.unwrap().unwrap();
        assert_eq!((detail.spans.len(), detail.edges.len(), detail.native.len()), (2, 2, 2));
        assert_eq!(detail.cluster, "test");
        assert_eq!(lake.journey_of(trace(1001)).await.unwrap(), Some(trace(1)));
        assert_eq!(lake.journey_of(trace(5)).await.unwrap(), None);
        assert_eq!(lake.trace(trace(1001)).await.unwrap().len(), 2);
        lake.flush().await.unwrap();
    }
    drop(lake);
    let lake = open(folder.path()).await;
    assert_eq!(lake.journey_of(trace(1001)).await.unwrap(), Some(trace(1)));
    let classes =
        lake.sql("select class, count(*) from spans group by class order by class", Default::default()).await.unwrap();
    assert_eq!(classes.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 3);
}

#[tokio::test]
async fn pages_follow_one_another_without_gap_or_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    for number in 1..=25 {
        // Several begin at the same moment: then the id decides.
        lake.weave(woven(number, State::Converged, (number / 4) as i64)).await.unwrap();
        if number == 12 {
            lake.flush().await.unwrap();
        }
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = lake.journeys(&JourneyQuery { after, limit: 4, ..JourneyQuery::default() }).await.unwrap();
        seen.extend(page.items.iter().map(|row| (row.journey.start, row.journey.journey)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 25);
    assert!(seen.is_sorted_by(|one, other| one > other));
}

#[tokio::test]
async fn journeys_are_found_by_what_they_and_their_spans_say() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.weave(woven(2, State::Failed, 1)).await.unwrap();
    lake.append(records(&[Native(1002, 3, 2)])).await.unwrap();
    let equal =
        |column: Column, text: &str| Filter::Compare(column.into(), Comparison::Equal, Operand::Text(text.into()));
    let cases = [
        (equal(Column::State, "failed"), vec![2]),
        (equal(Column::Uid, "uid-1"), vec![1]),
        (equal(Column::Kind, "deployment"), vec![2, 1]),
        (equal(Column::User, "jane"), vec![2, 1]),
        (equal(Column::Status, "error"), vec![2]),
        (equal(Column::Service, "apiserver"), vec![2]),
        (Filter::Not(Box::new(equal(Column::Service, "apiserver"))), vec![1]),
        (equal(Column::TraceId, &trace(1002).to_string()), vec![2]),
        (Filter::Text("WEB-1".into()), vec![1]),
        (Filter::Compare(Column::Duration.into(), Comparison::GreaterOrEqual, Operand::Int(5_000_000_000)), vec![2, 1]),
    ];
    for cold in [false, true] {
        for (filter, expected) in &cases {
            let query = JourneyQuery { filter: filter.clone(), limit: 10, ..JourneyQuery::default() };
            let page = lake.journeys(&query).await.unwrap();
            let found: Vec<u128> =
                page.items.iter().map(|row| u128::from_be_bytes(row.journey.journey.to_bytes())).collect();
            assert_eq!(&found, expected, "cold: {cold}, {filter:?}");
        }
        lake.flush().await.unwrap();
    }
    let asked = StatisticsQuery {
        of: StatisticsOf::Journeys,
        range: TimeRange::default(),
        filter: Filter::All,
        by: vec![Column::State.into()],
        bucket: None,
        limit: 10,
    };
    let series = lake.statistics(&asked).await.unwrap();
    assert_eq!(series.len(), 2);
    let failed = series.iter().find(|series| series.key[0].as_deref() == Some("failed")).unwrap();
    assert_eq!((failed.buckets[0].count, failed.buckets[0].errors), (1, 1));
    assert!((failed.buckets[0].duration.unwrap().p50 - 5e9).abs() < 1.0);
}

#[tokio::test]
async fn a_checkpoint_keeps_the_journeys_that_only_memory_has() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.weave(woven(1, State::Open, 0)).await.unwrap();
    lake.weave(woven(2, State::Open, 1)).await.unwrap();
    lake.checkpoint(Checkpoint { position: Position(0), snapshots: Vec::new() }).await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    assert_eq!(states(&lake).await, [(2, State::Open), (1, State::Open)]);
    let detail = lake.journey(trace(1)).await.unwrap().unwrap();
    assert_eq!((detail.spans.len(), detail.edges.len()), (2, 2));
}

#[tokio::test]
async fn more_journeys_than_memory_may_hold_go_to_the_lake_while_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path());
    options.settle = Duration::from_hours(1);
    options.limits.hot_journeys = 8;
    let lake = Lake::open(options).await.unwrap();
    for number in 1..=40 {
        lake.weave(woven(number, State::Converged, 0)).await.unwrap();
        let hot: u64 = lake.health().await.unwrap().tables.iter().map(|table| table.hot_rows).sum();
        // A row of each journey, two spans and two edges.
        assert!(hot <= 10 * 5, "{hot} rows in memory after {number} journeys");
    }
    assert_eq!(rows(&lake, "journeys").await, 40);
}

#[tokio::test]
async fn a_journey_in_memory_takes_about_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path());
    options.settle = Duration::from_hours(1);
    options.limits.hot_bytes = 4 << 20;
    let lake = Lake::open(options).await.unwrap();
    for number in 1..=400 {
        lake.weave(woven(number, State::Converged, 0)).await.unwrap();
    }
    let hot: u64 = lake.health().await.unwrap().tables.iter().map(|table| table.hot_rows).sum();
    assert!((100..1000).contains(&hot), "4 MiB hold {hot} rows");
    assert_eq!(rows(&lake, "journeys").await, 400);
}

#[tokio::test]
async fn journeys_that_lie_together_in_memory_are_each_there_once_whatever_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut kept = options(folder.path());
    kept.settle = Duration::from_hours(1);
    let lake = Lake::open(kept.clone()).await.unwrap();
    for number in 1..=300 {
        lake.weave(woven(number, State::Open, 0)).await.unwrap();
    }
    let memory = lake.health().await.unwrap().memory_bytes;
    assert!(memory < 300 * (16 << 10), "{memory} bytes of memory for 300 journeys of two spans");
    // Some change once, some often, most never; of some shelves less is left than of others.
    for round in 0..4 {
        for number in (1..=300).filter(|number| number % 7 < round) {
            lake.weave(woven(number, State::Failed, i64::from(u8::try_from(round).unwrap()))).await.unwrap();
        }
    }
    let check = async |lake: &Lake| {
        let of = async |sql: &str| count(lake, sql).await;
        assert_eq!(of("select distinct journey_id from journeys").await, 300);
        assert_eq!(
            (rows(lake, "journeys").await, rows(lake, "spans").await, rows(lake, "edges").await),
            (300, 600, 600)
        );
        let failed = (1..=300).filter(|number| number % 7 < 3).count();
        assert_eq!(of("select 1 from journeys where state = 'failed'").await, failed);
        assert_eq!(of("select 1 from spans where status = 'error'").await, failed);
        for number in [1, 6, 64, 300] {
            let detail = lake.journey(trace(number)).await.unwrap().unwrap();
            assert_eq!((detail.spans.len(), detail.edges.len()), (2, 2));
            assert!(detail.spans.iter().all(|span| span.trace_id == trace(number)), "journey {number}");
        }
    };
    check(&lake).await;
    lake.checkpoint(Checkpoint { position: Position(0), snapshots: Vec::new() }).await.unwrap();
    drop(lake);
    let lake = Lake::open(kept).await.unwrap();
    check(&lake).await;
    lake.flush().await.unwrap();
    check(&lake).await;
    assert_eq!(lake.health().await.unwrap().memory_bytes, 0);
}
