//! What is too old or too much goes, and only that.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clew_store::Store as _;
use clew_store::lake::{Lake, Options};
use clew_weave::State;

use crate::support::{BEGIN, Native, SECOND, count, options, records, trace, woven};

const DAY: i64 = 86_400;

/// So many days ago, in seconds after the beginning that all tests have.
fn ago(days: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    (i64::try_from(now).unwrap() - BEGIN) / SECOND - days * DAY
}

async fn filled(options: Options) -> Lake {
    let lake = Lake::open(options).await.unwrap();
    for days in [0, 1, 3, 5, 40] {
        // Trace 1001 and so on are segments of journey 1 and so on; the others belong to none.
        let number = u128::try_from(days).unwrap() + 1;
        lake.weave(woven(number, State::Converged, ago(days))).await.unwrap();
        let other = 5000 + u64::try_from(days).unwrap();
        lake.append(records(&[Native(1000 + number, other, ago(days)), Native(2000 + number, other + 500, ago(days))]))
            .await
            .unwrap();
        lake.flush().await.unwrap();
    }
    lake
}

async fn classes(lake: &Lake) -> [usize; 4] {
    let spans = async |class: &str| count(lake, &format!("select 1 from spans where class = '{class}'")).await;
    [
        spans("background").await,
        spans("segment").await,
        spans("journey").await,
        count(lake, "select 1 from journeys").await,
    ]
}

fn parquet_files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            if path.is_dir() {
                parquet_files(&path)
            } else {
                usize::from(path.extension().is_some_and(|x| x == "parquet"))
            }
        })
        .sum()
}

#[tokio::test]
async fn each_class_goes_at_its_own_age() {
    let folder = tempfile::tempdir().unwrap();
    let lake = filled(options(folder.path())).await;
    assert_eq!(classes(&lake).await, [5, 5, 10, 5]);
    lake.compact(|_| {}).await.unwrap();
    // Background is kept for two days, segments for thirty, journeys for ninety.
    assert_eq!(classes(&lake).await, [2, 4, 10, 5]);
    assert!(lake.verify(|_| {}).await.unwrap().problems.is_empty());
}

#[tokio::test]
async fn the_oldest_of_the_least_worth_goes_first_when_there_is_too_much() {
    let folder = tempfile::tempdir().unwrap();
    let mut small = options(folder.path());
    small.retention.background = None;
    small.retention.segments = None;
    small.retention.bytes = Some(1);
    let lake = filled(small).await;
    lake.compact(|_| {}).await.unwrap();
    // Today's journeys and the newest file of anything else stay, whatever the limit.
    assert_eq!(classes(&lake).await, [1, 1, 2, 1]);
}

/// Background in so many files of today, each with a span of its own, the first belonging to a journey that came later.
async fn a_busy_day(options: Options, files: u64) -> Lake {
    let lake = Lake::open(options).await.unwrap();
    lake.weave(woven(9, State::Converged, ago(3))).await.unwrap();
    lake.append(records(&[Native(1009, 9, ago(3))])).await.unwrap();
    let midnight = ago(0) - (BEGIN / SECOND + ago(0)).rem_euclid(DAY);
    for file in 0..files {
        let number = 1001 + u128::from(file);
        lake.append(records(&[Native(number, 100 + file, midnight + i64::try_from(file).unwrap())])).await.unwrap();
        lake.flush().await.unwrap();
    }
    lake.weave(woven(1, State::Converged, midnight)).await.unwrap();
    lake.flush().await.unwrap();
    lake
}

#[tokio::test]
async fn a_day_that_is_too_much_by_itself_loses_its_oldest_background_and_no_journey() {
    let folder = tempfile::tempdir().unwrap();
    let lake = a_busy_day(options(folder.path()), 5).await;
    assert_eq!(classes(&lake).await, [5, 1, 4, 2]);
    let bytes = lake.health().await.unwrap().tables.iter().map(|table| table.bytes).sum::<u64>();
    lake.close().await.unwrap();
    drop(lake);
    // One byte too many: the oldest file goes, and what of it belongs to a journey is written anew.
    let mut small = options(folder.path());
    small.retention.bytes = Some(bytes - 1);
    let lake = Lake::open(small).await.unwrap();
    lake.compact(|_| {}).await.unwrap();
    assert_eq!(classes(&lake).await, [4, 2, 4, 2]);
    assert_eq!(lake.journey(trace(1)).await.unwrap().unwrap().native.len(), 1);
    assert!(lake.trace(trace(1005)).await.unwrap().len() == 1, "the newest stays");
    assert!(lake.verify(|_| {}).await.unwrap().problems.is_empty());
}

#[tokio::test]
async fn of_a_day_that_goes_on_the_newest_file_stays_whatever_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut small = options(folder.path());
    small.retention.bytes = Some(1);
    let lake = a_busy_day(small, 5).await;
    lake.compact(|_| {}).await.unwrap();
    // The journey of three days ago is gone with its segment; today's has its own.
    assert_eq!(classes(&lake).await, [1, 1, 2, 1]);
    assert_eq!(lake.trace(trace(1005)).await.unwrap().len(), 1);
    assert_eq!(lake.journey(trace(1)).await.unwrap().unwrap().native.len(), 1);
    assert!(lake.verify(|_| {}).await.unwrap().problems.is_empty());
}

#[tokio::test]
async fn spans_that_joined_a_journey_after_they_were_written_stay_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(options(folder.path())).await.unwrap();
    lake.append(records(&[Native(1001, 1, ago(5)), Native(2001, 2, ago(5))])).await.unwrap();
    lake.flush().await.unwrap();
    lake.weave(woven(1, State::Converged, ago(5))).await.unwrap();
    lake.flush().await.unwrap();
    assert_eq!(classes(&lake).await, [2, 0, 2, 1]);
    for _ in 0..2 {
        lake.compact(|_| {}).await.unwrap();
        assert_eq!(classes(&lake).await, [0, 1, 2, 1]);
        assert_eq!(lake.journey(trace(1)).await.unwrap().unwrap().native.len(), 1);
        assert!(lake.verify(|_| {}).await.unwrap().problems.is_empty());
    }
}

#[tokio::test]
async fn files_that_no_version_has_are_deleted_in_their_time() {
    for (age, less) in [(Duration::ZERO, true), (Duration::from_hours(1), false)] {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        options.limits.deleted_files = age;
        let lake = filled(options).await;
        let before = parquet_files(folder.path());
        lake.compact(|_| {}).await.unwrap();
        lake.compact(|_| {}).await.unwrap();
        assert_eq!(parquet_files(folder.path()) < before, less, "kept for {age:?}");
        assert_eq!(classes(&lake).await, [2, 4, 10, 5]);
    }
}
