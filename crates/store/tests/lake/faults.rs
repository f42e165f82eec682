//! Disks that are full, read-only or wrong: a clear error, the rest served, nothing acknowledged lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_store::lake::Lake;
use clew_store::{Checkpoint, Position, SpanQuery, Store, StoreError};
use clew_weave::State;

use crate::support::{Native, open, options, records, trace, woven};

async fn spans(lake: &Lake) -> Vec<u64> {
    let found = lake.spans(&SpanQuery { limit: 100_000, ..SpanQuery::default() }).await.unwrap();
    let mut ids: Vec<u64> = found.iter().map(|span| u64::from_be_bytes(span.span_id.to_bytes())).collect();
    ids.sort_unstable();
    ids
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at.min(bytes.len() - 1);
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_torn_tail_is_cut_off_and_what_was_whole_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    for number in 1..=3 {
        lake.append(records(&[Native(7, number, 0)])).await.unwrap();
    }
    drop(lake);
    let segment = files(folder.path(), ".log").pop().unwrap();
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..whole.len() - 5]).unwrap();
    let lake = open(folder.path()).await;
    assert_eq!(spans(&lake).await, [1, 2]);
    assert!(lake.health().await.unwrap().problems[0].contains("damaged"));
    lake.append(records(&[Native(7, 4, 0)])).await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    assert_eq!(spans(&lake).await, [1, 2, 4]);
    assert_eq!(lake.health().await.unwrap().problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_flipped_byte_of_the_log_costs_one_record_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    for number in 1..=5 {
        lake.append(records(&[Native(7, number, 0)])).await.unwrap();
    }
    drop(lake);
    let segment = files(folder.path(), ".log").pop().unwrap();
    let length = fs::metadata(&segment).unwrap().len() as usize;
    flip(&segment, length / 2);
    let lake = open(folder.path()).await;
    assert_eq!(spans(&lake).await.len(), 4);
    assert!(lake.health().await.unwrap().problems[0].contains("the rest is served"));
    let report = lake.verify(|_| {}).await.unwrap();
    assert_eq!(report.problems.len(), 1, "{report:?}");
}

#[tokio::test]
async fn a_flipped_byte_in_any_other_file_is_told_and_the_rest_is_served() {
    for (ending, at) in [("checkpoint", 60), ("state", 45), (".parquet", 700), ("id", 50)] {
        let folder = tempfile::tempdir().unwrap();
        let lake = open(folder.path()).await;
        lake.append(records(&[Native(7, 1, 0)])).await.unwrap();
        lake.weave(woven(1, State::Converged, 0)).await.unwrap();
        lake.checkpoint(Checkpoint { position: Position(1), snapshots: vec![("test".into(), "memory".into())] })
            .await
            .unwrap();
        lake.flush().await.unwrap();
        lake.append(records(&[Native(8, 2, 0)])).await.unwrap();
        assert_eq!(lake.verify(|_| {}).await.unwrap().problems, Vec::<String>::new());
        drop(lake);
        let file = files(folder.path(), ending)
            .into_iter()
            .find(|path| !path.to_string_lossy().contains("_delta_log"))
            .unwrap();
        flip(&file, at);
        let lake = match Lake::open(options(folder.path())).await {
            Ok(lake) => lake,
            Err(error) => {
                assert!(matches!(error, StoreError::Damaged { .. }) && ending == "id", "{ending}: {error}");
                continue;
            }
        };
        let mut told = lake.health().await.unwrap().problems;
        told.extend(lake.verify(|_| {}).await.unwrap().problems);
        assert!(!told.is_empty(), "{ending} at {at}");
        assert_eq!(lake.trace(trace(8)).await.map(|spans| spans.len()).unwrap_or(1), 1, "{ending}");
        lake.append(records(&[Native(9, 3, 0)])).await.unwrap();
    }
}

/// A small disk of its own; none where mounting is not allowed.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path())
            .status();
        mounted.is_ok_and(|status| status.success()).then_some(Self(folder))
    }

    fn remount(&self, how: &str) -> bool {
        let status = Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(self.0.path()).status();
        status.is_ok_and(|status| status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_refuses_and_loses_nothing_that_was_acknowledged() {
    let Some(disk) = Disk::new("2m") else { return eprintln!("skipped: mounting is not allowed here") };
    let lake = open(disk.0.path()).await;
    let mut kept = Vec::new();
    let mut refused = None;
    for number in 1..20_000_u64 {
        let spans: Vec<_> = (0..50).map(|place| Native(7, number * 100 + place, 0)).collect();
        match lake.append(records(&spans)).await {
            Ok(_) => kept.extend(spans.iter().map(|span| span.1)),
            Err(error) => {
                refused = Some(error);
                break;
            }
        }
    }
    let refused = refused.expect("the disk is small");
    assert!(matches!(&refused, StoreError::Full { what, .. } if what.contains("no space left")), "{refused}");
    assert_eq!(spans(&lake).await, kept);
    drop(lake);
    assert!(disk.remount("size=64m"));
    let lake = open(disk.0.path()).await;
    assert_eq!(spans(&lake).await, kept);
    lake.append(records(&[Native(7, 9_999_999, 0)])).await.unwrap();
    lake.flush().await.unwrap();
    kept.push(9_999_999);
    assert_eq!(spans(&lake).await, kept);
    assert_eq!(lake.verify(|_| {}).await.unwrap().problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_read_only_disk_refuses_what_is_new_and_serves_what_is_there() {
    let Some(disk) = Disk::new("64m") else { return eprintln!("skipped: mounting is not allowed here") };
    let data = tempfile::tempdir().unwrap();
    let mut split = options(data.path());
    split.tables = Some(disk.0.path().join("tables").display().to_string());
    let lake = Lake::open(split).await.unwrap();
    lake.append(records(&[Native(7, 1, 0)])).await.unwrap();
    lake.flush().await.unwrap();
    lake.append(records(&[Native(7, 2, 0)])).await.unwrap();
    assert!(disk.remount("ro"));
    let error = lake.flush().await.unwrap_err().to_string();
    assert!(error.contains("Read-only"), "{error}");
    assert_eq!(spans(&lake).await, [1, 2]);
    assert!(disk.remount("rw"));
    lake.flush().await.unwrap();
    assert_eq!(spans(&lake).await, [1, 2]);
}
