//! Memory has a limit, and journeys that are open do not fill it for good.

use std::path::Path;

use clew_store::lake::{Lake, Options};
use clew_store::{Checkpoint, JourneyQuery, Position, Store};
use clew_weave::State;

use crate::support::{Native, options, records, trace, woven};

const JOURNEYS: u128 = 300;

fn with_memory(folder: &Path, bytes: usize) -> Options {
    let mut options = options(folder);
    options.limits.hot_bytes = bytes;
    options
}

async fn open_journeys(lake: &Lake) -> usize {
    let page = lake.journeys(&JourneyQuery { limit: 1000, ..JourneyQuery::default() }).await.unwrap();
    page.items.iter().filter(|row| row.journey.state == State::Open).count()
}

async fn weave_all(lake: &Lake) {
    for number in 1..=JOURNEYS {
        lake.weave(woven(number, State::Open, 0)).await.unwrap();
    }
}

#[tokio::test]
async fn a_restart_with_many_open_journeys_has_room_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let limited = with_memory(folder.path(), 24 << 20);
    let lake = Lake::open(limited.clone()).await.unwrap();
    weave_all(&lake).await;
    lake.append(records(&[Native(1, 1, 1)])).await.unwrap();
    lake.checkpoint(Checkpoint { position: Position(0), snapshots: Vec::new() }).await.unwrap();
    drop(lake);
    let lake = Lake::open(limited).await.unwrap();
    assert_eq!(open_journeys(&lake).await, 300);
    lake.append(records(&[Native(1, 2, 1)])).await.unwrap();
}

#[tokio::test]
async fn open_journeys_that_fill_memory_go_to_their_table_and_more_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(with_memory(folder.path(), 1 << 20)).await.unwrap();
    weave_all(&lake).await;
    lake.append(records(&[Native(1, 1, 1)])).await.unwrap();
    assert_eq!(open_journeys(&lake).await, 300);
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    assert_eq!(open_journeys(&lake).await, 299, "the newest version wins");
    assert_eq!(lake.journey(trace(1)).await.unwrap().unwrap().spans.len(), 2);
}
