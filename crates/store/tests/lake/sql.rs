//! SQL of others: reads, within limits, and nothing else.

use std::time::Duration;

use clew_store::{SqlLimits, Store, StoreError};
use clew_weave::State;

use crate::support::{Native, open, records, woven};

#[tokio::test]
async fn sql_reads_memory_and_lake_together() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(7, 1, 0), Native(7, 2, 1)])).await.unwrap();
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.flush().await.unwrap();
    lake.append(records(&[Native(8, 3, 2)])).await.unwrap();
    let sql = "select count(*) as n, count(distinct trace_id) as traces from spans where service = 'apiserver'";
    let batches = lake.sql(sql, SqlLimits::default()).await.unwrap();
    let text = format!("{:?}", batches[0].columns());
    assert!(text.contains('3') && text.contains('2'), "{text}");
    let sql =
        "select s.name, j.state from spans s join journeys j on s.journey_id = j.journey_id where s.class = 'journey'";
    let batches = lake.sql(sql, SqlLimits::default()).await.unwrap();
    assert_eq!(batches.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 2);
    let sql = "select attributes_string['k8s.namespace.name'] as ns from spans where attributes_int['http.response.status_code'] = 200";
    let batches = lake.sql(sql, SqlLimits::default()).await.unwrap();
    assert_eq!(batches.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 3);
    lake.sql("explain select * from spans", SqlLimits::default()).await.unwrap();
    // Column names that some dialects take for keywords.
    lake.sql("select service, cluster, node, verb from spans", SqlLimits::default()).await.unwrap();
}

#[tokio::test]
async fn an_answer_without_rows_has_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let answer = lake.sql("select journey_id from journeys where state = 'open'", Default::default()).await.unwrap();
    assert_eq!(answer.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 0);
    assert_eq!(answer[0].schema().field(0).name(), "journey_id");
}

#[tokio::test]
async fn sql_refuses_whatever_writes() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(7, 1, 0)])).await.unwrap();
    let target = folder.path().join("stolen.csv");
    let copy = format!("copy spans to '{}'", target.display());
    let external = format!("create external table x stored as csv location '{}'", folder.path().display());
    let writes = [
        "insert into spans select * from spans",
        "delete from spans",
        "update spans set name = 'x'",
        "drop table spans",
        "create table x as select * from spans",
        "create view x as select * from spans",
        "set datafusion.execution.batch_size = 1",
        "truncate table spans",
        "prepare x as select 1",
        "select 1; drop table spans",
        copy.as_str(),
        external.as_str(),
    ];
    for sql in writes {
        let answer = lake.sql(sql, SqlLimits::default()).await;
        assert!(matches!(answer, Err(StoreError::Query(_))), "{sql}: {answer:?}");
    }
    assert!(!target.exists());
    let file = format!("select * from '{}'", folder.path().join("id").display());
    assert!(lake.sql(&file, SqlLimits::default()).await.is_err());
    assert_eq!(lake.trace(crate::support::trace(7)).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_keeps_to_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let spans: Vec<_> = (1..=200).map(|number| Native(7, number, 0)).collect();
    lake.append(records(&spans)).await.unwrap();
    let limits = SqlLimits { rows: 10, time: Duration::from_secs(30) };
    assert!(matches!(lake.sql("select * from spans", limits).await, Err(StoreError::Limit(_))));
    assert_eq!(lake.sql("select * from spans limit 10", limits).await.unwrap()[0].num_rows(), 10);
    let limits = SqlLimits { rows: 10, time: Duration::from_millis(300) };
    let slow = "select count(*) from spans a, spans b, spans c where a.name || b.name <> c.name || a.span_id";
    let answer = lake.sql(slow, limits).await;
    assert!(matches!(&answer, Err(StoreError::Limit(what)) if what.contains("0.3 s")), "{answer:?}");
    assert!(matches!(lake.sql("select nothing from nowhere", limits).await, Err(StoreError::Query(_))));
}
