//! What somebody may read is found, and nothing else, from memory and from the lake.

use std::collections::BTreeSet;
use std::sync::Arc;

use clew_store::lake::Lake;
use clew_store::{
    AttributeScope, Field, Filter, JourneyQuery, Right, Rights, SpanQuery, StatisticsOf, StatisticsQuery, Store,
    TimeRange, Woven,
};
use clew_weave::{Child, Edge, State};

use crate::support::{Native, open, records, trace, woven};

/// The trace that a command left in both namespaces, and one that belongs to no journey.
const SHARED: u128 = 2000;
const NOBODYS: u128 = 3000;

/// A journey in a namespace, which the command's trace is part of.
fn in_namespace(namespace: &str, number: u128) -> Woven {
    let mut woven = woven(number, State::Converged, 0);
    let journey = &mut woven.upserts.journeys[0];
    journey.root.namespace = namespace.into();
    journey.objects[0].namespace = namespace.into();
    journey.segments.push(trace(SHARED));
    let edge = Edge { child: Child::Segment(trace(SHARED)), ..woven.upserts.edges[0].clone() };
    woven.upserts.edges.push(edge);
    for span in &mut woven.upserts.spans {
        span.attributes.insert("k8s.namespace.name", namespace);
        span.attributes.insert(format!("only.in.{namespace}"), true);
    }
    woven
}

fn may_read(held: &[&str]) -> Filter {
    let held = held.iter().map(|right| (*right).into()).collect();
    Filter::Readable(Arc::new(Rights { cluster: "test".into(), everything: false, held }))
}

/// The traces of all spans, the journeys, the namespaces, the keys and the counts that somebody sees.
async fn seen(lake: &Lake, filter: &Filter) -> (BTreeSet<u128>, Vec<u128>, Vec<String>, bool, u64) {
    let number = |id: clew_model::TraceId| u128::from_be_bytes(id.to_bytes());
    let spans = lake
        .spans(&SpanQuery { filter: filter.clone(), limit: 100, woven: true, ..SpanQuery::default() })
        .await
        .unwrap();
    let journeys = JourneyQuery { filter: filter.clone(), limit: 100, ..JourneyQuery::default() };
    let journeys = lake.journeys(&journeys).await.unwrap().items;
    let field = Field::Attribute(AttributeScope::Span, "k8s.namespace.name".into());
    let values = lake.values(&field, TimeRange::default(), filter, 100).await.unwrap();
    let (keys, _) = lake.keys(TimeRange::default(), filter, 100).await.unwrap();
    let counted = StatisticsQuery {
        of: StatisticsOf::Spans,
        range: TimeRange::default(),
        filter: filter.clone(),
        by: Vec::new(),
        bucket: None,
        limit: 10,
    };
    let counted = lake.statistics(&counted).await.unwrap();
    (
        spans.iter().map(|span| number(span.trace_id)).collect(),
        journeys.iter().map(|row| number(row.journey.journey)).collect(),
        values.iter().map(ToString::to_string).collect(),
        keys.iter().any(|key| key == "only.in.store"),
        counted.iter().flat_map(|series| &series.buckets).map(|bucket| bucket.count).sum(),
    )
}

#[tokio::test]
async fn somebody_finds_what_they_may_read_and_no_trace_that_another_journey_shares() {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    for (namespace, number) in [("shop", 1), ("store", 2)] {
        lake.weave(in_namespace(namespace, number)).await.unwrap();
    }
    let natives = [Native(1001, 1, 0), Native(1002, 2, 0), Native(SHARED, 3, 0), Native(NOBODYS, 4, 0)];
    lake.append(records(&natives)).await.unwrap();
    for stored in ["in memory", "in the lake"] {
        let (traces, journeys, values, has_key, count) = seen(&lake, &may_read(&["shop/Deployment"])).await;
        assert_eq!((traces, journeys), (BTreeSet::from([1, 1001]), vec![1]), "{stored}");
        assert_eq!((values, has_key, count), (vec!["shop".to_owned()], false, 3), "{stored}");
        let (traces, journeys, ..) = seen(&lake, &may_read(&["shop/Deployment", "store/Deployment"])).await;
        let all = BTreeSet::from([1, 2, 1001, 1002, SHARED]);
        assert_eq!((traces, journeys.len()), (all, 2), "who may read both sees what they share, {stored}");
        for none in [may_read(&[]), may_read(&["/Deployment", "shop/Pod"])] {
            let (traces, journeys, values, has_key, count) = seen(&lake, &none).await;
            assert!(traces.is_empty() && journeys.is_empty() && values.is_empty() && !has_key, "{stored}");
            assert_eq!(count, 0, "{stored}");
        }
        let needed: BTreeSet<Right> = lake.rights("test", 10).await.unwrap().into_iter().collect();
        let expected = ["shop/Deployment", "store/Deployment"].map(|right| right.parse().unwrap());
        assert_eq!(needed, BTreeSet::from(expected), "{stored}");
        assert!(lake.rights("another", 10).await.unwrap().is_empty());
        let sharing = lake.journeys_of(&[trace(SHARED), trace(1001)]).await.unwrap();
        let pairs = [(1001, 1), (SHARED, 1), (SHARED, 2)].map(|(native, journey)| (trace(native), trace(journey)));
        assert_eq!(sharing, pairs, "{stored}");
        let negated = Filter::Not(Box::new(may_read(&["shop/Deployment"])));
        assert_eq!(seen(&lake, &Filter::And(vec![may_read(&["shop/Deployment"]), negated])).await.1, [0_u128; 0]);
        lake.flush().await.unwrap();
    }
}
