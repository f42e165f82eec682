//! What goes in comes out, from memory and from the lake.

use clew_model::{Attributes, Status, Time};
use clew_store::lake::Lake;
use clew_store::{
    AttributeScope, Checkpoint, Column, Comparison, Field, Filter, Operand, Position, Record, Run, RunQuery, SpanQuery,
    Store, TimeRange,
};

use crate::support::{BEGIN, Native, SECOND, open, options, records, trace};

async fn count(lake: &Lake) -> usize {
    lake.spans(&SpanQuery { limit: 10_000, ..SpanQuery::default() }).await.unwrap().len()
}

#[tokio::test]
async fn spans_are_found_at_once_and_are_the_same_after_a_flush_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(7, 1, 0), Native(7, 2, 1), Native(8, 3, 2)])).await.unwrap();
    let hot = lake.trace(trace(7)).await.unwrap();
    assert_eq!(hot.len(), 2);
    assert_eq!(hot[0].resource.get_str("service.name"), Some("apiserver"));
    assert_eq!(hot[0].attributes.get_str("k8s.namespace.name"), Some("shop"));
    lake.flush().await.unwrap();
    assert_eq!(lake.trace(trace(7)).await.unwrap(), hot);
    let health = lake.health().await.unwrap();
    assert_eq!(health.problems, Vec::<String>::new());
    assert_eq!((health.tables[0].rows, health.tables[0].hot_rows), (3, 0));
    lake.append(records(&[Native(9, 4, 3)])).await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    assert_eq!(lake.trace(trace(7)).await.unwrap(), hot);
    assert_eq!(lake.trace(trace(9)).await.unwrap().len(), 1);
    assert_eq!(count(&lake).await, 4);
}

#[tokio::test]
async fn what_a_client_sends_twice_is_there_once_even_across_a_crash_and_a_flush() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let spans = [Native(7, 1, 0), Native(7, 2, 1)];
    lake.append(records(&spans)).await.unwrap();
    lake.append(records(&spans)).await.unwrap();
    lake.append(records(&[spans[1], Native(7, 3, 2)])).await.unwrap();
    assert_eq!(count(&lake).await, 3);
    let drops = lake.health().await.unwrap().drops;
    assert_eq!(drops, [("duplicate spans".to_owned(), 3)]);
    lake.flush().await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    lake.append(records(&spans)).await.unwrap();
    assert_eq!(count(&lake).await, 3);
}

#[tokio::test]
async fn two_spans_with_one_id_are_both_kept() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(7, 1, 0), Native(7, 1, 5)])).await.unwrap();
    assert_eq!(count(&lake).await, 2);
    lake.flush().await.unwrap();
    assert_eq!(count(&lake).await, 2);
}

#[tokio::test]
async fn filters_hold_in_memory_and_in_the_lake() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let spans: Vec<_> = (0..50).map(|number| Native(7, number + 1, number as i64)).collect();
    lake.append(records(&spans)).await.unwrap();
    let compare = |field: Field, how, with| Filter::Compare(field, how, with);
    let attribute = |scope, key: &str| Field::Attribute(scope, key.into());
    let cases = [
        (compare(Column::Service.into(), Comparison::Equal, Operand::Text("apiserver".into())), 50),
        (compare(Column::Service.into(), Comparison::NotEqual, Operand::Text("apiserver".into())), 0),
        (compare(Column::SpanName.into(), Comparison::Matches, Operand::Text("Update pod [01]".into())), 15),
        (compare(Column::SpanName.into(), Comparison::NotMatches, Operand::Text("Update pod [01]".into())), 35),
        (compare(Column::Duration.into(), Comparison::Greater, Operand::Int(40_000_000)), 11),
        (
            compare(
                attribute(AttributeScope::Span, "k8s.namespace.name"),
                Comparison::Equal,
                Operand::Text("shop".into()),
            ),
            50,
        ),
        (compare(attribute(AttributeScope::Any, "http.response.status_code"), Comparison::Less, Operand::Int(300)), 50),
        (
            compare(
                attribute(AttributeScope::Resource, "service.name"),
                Comparison::Equal,
                Operand::Text("apiserver".into()),
            ),
            50,
        ),
        (Filter::Exists(attribute(AttributeScope::Any, "missing")), 0),
        (Filter::Not(Box::new(Filter::Exists(attribute(AttributeScope::Any, "missing")))), 50),
        (
            Filter::Not(Box::new(compare(
                attribute(AttributeScope::Span, "missing"),
                Comparison::Equal,
                Operand::Text("x".into()),
            ))),
            50,
        ),
        (Filter::Text("UPDATE POD 3".into()), 7),
        (Filter::Or(vec![Filter::Text("pod 3".into()), Filter::Text("pod 4".into())]), 14),
    ];
    for cold in [false, true] {
        for (filter, expected) in &cases {
            let query = SpanQuery { filter: filter.clone(), limit: 1000, ..SpanQuery::default() };
            let found = lake.spans(&query).await.unwrap().len();
            assert_eq!(found, *expected, "cold: {cold}, {filter:?}");
        }
        lake.flush().await.unwrap();
    }
    let range = TimeRange { from: Some(Time::from_nanos(BEGIN)), to: Some(Time::from_nanos(BEGIN + 10 * SECOND)) };
    let query = SpanQuery { range, limit: 3, ..SpanQuery::default() };
    let newest = lake.spans(&query).await.unwrap();
    assert_eq!(
        newest.iter().map(|span| span.start.as_nanos() - BEGIN).collect::<Vec<_>>(),
        [9 * SECOND, 8 * SECOND, 7 * SECOND]
    );
    assert_eq!(
        lake.values(&Column::Service.into(), TimeRange::default(), &Filter::All, 10).await.unwrap(),
        ["apiserver"]
    );
    let (own, resource) = lake.keys(TimeRange::default(), &Filter::All, 10).await.unwrap();
    assert_eq!(own, ["http.response.status_code", "k8s.namespace.name"]);
    assert_eq!(resource, ["service.name"]);
}

fn run(version: &str, end: Option<i64>) -> Run {
    let mut attributes = Attributes::new();
    attributes.push("driver", "kvm2");
    Run {
        id: trace(77),
        command: "minikube start".into(),
        version: version.into(),
        start: Time::from_nanos(BEGIN),
        end: end.map(Time::from_nanos),
        status: Status::default(),
        attributes,
    }
}

#[tokio::test]
async fn the_newest_version_of_a_run_wins() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let all = RunQuery { limit: 10, ..RunQuery::default() };
    lake.append(vec![Record::Run(Box::new(run("1", None)))]).await.unwrap();
    assert_eq!(lake.runs(&all).await.unwrap(), [run("1", None)]);
    lake.flush().await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    let ended = run("1", Some(BEGIN + SECOND));
    lake.append(vec![Record::Run(Box::new(ended.clone()))]).await.unwrap();
    assert_eq!(lake.runs(&all).await.unwrap(), [ended.clone()]);
    lake.flush().await.unwrap();
    assert_eq!(lake.runs(&all).await.unwrap(), [ended.clone()]);
    drop(lake);
    assert_eq!(open(folder.path()).await.runs(&all).await.unwrap(), [ended]);
}

#[tokio::test]
async fn a_run_that_changes_after_it_was_written_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let all = RunQuery { limit: 10, ..RunQuery::default() };
    for end in [1, 2] {
        let ended = run("1", Some(BEGIN + end * SECOND));
        lake.append(vec![Record::Run(Box::new(ended.clone()))]).await.unwrap();
        lake.flush().await.unwrap();
        assert_eq!(lake.runs(&all).await.unwrap(), [ended]);
    }
}

#[tokio::test]
async fn a_restart_gives_back_the_checkpoint_and_what_came_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let facts = |text: &str| Record::Facts { cluster: "test".into(), facts: text.to_owned().into() };
    lake.append(vec![facts("one")]).await.unwrap();
    let position = lake.append(vec![facts("two")]).await.unwrap();
    lake.append(vec![facts("three")]).await.unwrap();
    lake.append(records(&[Native(7, 1, 0)])).await.unwrap();
    let snapshots = vec![("test".into(), "memory".into())];
    lake.checkpoint(Checkpoint { position, snapshots }).await.unwrap();
    lake.flush().await.unwrap();
    lake.append(vec![facts("four")]).await.unwrap();
    drop(lake);
    let lake = open(folder.path()).await;
    let checkpoint = lake.resume().await.unwrap();
    assert_eq!(checkpoint.position, position);
    assert_eq!(checkpoint.snapshots, [("test".into(), "memory".into())]);
    let mut after = checkpoint.position;
    let mut found = Vec::new();
    loop {
        let records = lake.replay(after, 2).await.unwrap();
        let Some((last, _)) = records.last() else { break };
        after = *last;
        found.extend(records.into_iter().map(|(_, record)| match record {
            Record::Facts { facts, .. } => String::from_utf8(facts.to_vec()).unwrap(),
            _ => "spans".to_owned(),
        }));
    }
    assert_eq!(found, ["three", "spans", "four"]);
    assert_eq!(lake.replay(Position(u64::MAX), 10).await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_folder_belongs_to_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    let error = Lake::open(options(folder.path())).await.unwrap_err().to_string();
    assert!(error.contains("another process has it open"), "{error}");
    drop(lake);
    open(folder.path()).await;
}
