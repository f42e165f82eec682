//! Two processes may append to the same tables.

use clew_store::lake::Lake;
use clew_store::{SpanQuery, Store};
use clew_weave::State;

use crate::support::{Native, options, records, woven};

#[tokio::test(flavor = "multi_thread")]
async fn two_lakes_append_to_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("shared").display().to_string();
    let mut lakes = Vec::new();
    for name in ["one", "other"] {
        let mut options = options(&folder.path().join(name));
        options.tables = Some(tables.clone());
        lakes.push(Lake::open(options).await.unwrap());
    }
    let mut work = Vec::new();
    for (place, lake) in lakes.into_iter().enumerate() {
        work.push(tokio::spawn(async move {
            for round in 0..5_u64 {
                let number = place as u64 * 1000 + round;
                lake.append(records(&[Native(u128::from(number) + 1, number + 1, 0)])).await.unwrap();
                lake.weave(woven(u128::from(number) + 50_000, State::Converged, 0)).await.unwrap();
                lake.flush().await.unwrap();
            }
            lake
        }));
    }
    for work in work {
        drop(work.await.unwrap());
    }
    let mut third = options(&folder.path().join("third"));
    third.tables = Some(tables);
    let lake = Lake::open(third).await.unwrap();
    assert_eq!(lake.spans(&SpanQuery { limit: 100, ..SpanQuery::default() }).await.unwrap().len(), 10);
    let journeys = lake.sql("select * from journeys", Default::default()).await.unwrap();
    assert_eq!(journeys.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 10);
    assert_eq!(lake.verify(|_| {}).await.unwrap().problems, Vec::<String>::new());
}
