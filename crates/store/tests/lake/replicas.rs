//! What one store took, another takes over; nothing goes back.

use clew_store::lake::Lake;
use clew_store::{Position, Record, SpanQuery, Store};

use crate::support::{Native, options, records};

/// Takes over everything after a position; gives where that ended, and in how many pieces it came.
async fn catch_up(from: &Lake, to: &Lake, after: Position) -> (Position, usize) {
    let (mut after, mut pieces) = (after, 0);
    while after < from.last() {
        let tail = from.tail(after, 1).await.unwrap();
        after = tail.last;
        let over = to.take_over(tail.frames).await.unwrap();
        pieces += usize::from(!over.records.is_empty());
        assert_eq!(over.unreadable, 0);
    }
    (after, pieces)
}

async fn spans(lake: &Lake) -> usize {
    lake.spans(&SpanQuery { limit: 1000, ..SpanQuery::default() }).await.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_gives_what_it_took_itself_and_nothing_that_came_from_another() {
    let folder = tempfile::tempdir().unwrap();
    let one = Lake::open(options(&folder.path().join("one"))).await.unwrap();
    let other = Lake::open(options(&folder.path().join("other"))).await.unwrap();
    for number in 1..=5_u64 {
        one.append(records(&[Native(u128::from(number), number, 0)])).await.unwrap();
    }
    one.append(vec![Record::Facts { cluster: "test".into(), facts: "facts".into() }]).await.unwrap();
    let (after, pieces) = catch_up(&one, &other, Position(0)).await;
    assert_eq!((after, pieces, spans(&other).await), (Position(6), 6, 5));
    // Again, as after a crash: nothing is there twice.
    catch_up(&one, &other, Position(2)).await;
    assert_eq!(spans(&other).await, 5);

    other.append(records(&[Native(9, 9, 0)])).await.unwrap();
    let tail = other.tail(Position(0), 1 << 20).await.unwrap();
    let over = one.take_over(tail.frames).await.unwrap();
    assert_eq!((over.records.len(), tail.behind), (1, 0), "only its own");
    one.append(records(&[Native(10, 10, 0)])).await.unwrap();
    one.append(vec![Record::Delivered("note".into())]).await.unwrap();
    let tail = one.tail(after, 1 << 20).await.unwrap();
    let over = other.take_over(tail.frames).await.unwrap();
    assert!(matches!(over.records.as_slice(), [Record::Spans(_), Record::Delivered(_)]), "{:?}", over.records);
    assert_eq!((spans(&one).await, spans(&other).await), (7, 7));

    // What came from another is known as such after a restart, too, and is woven there.
    other.close().await.unwrap();
    drop(other);
    let other = Lake::open(options(&folder.path().join("other"))).await.unwrap();
    assert_eq!(spans(&other).await, 7);
    let tail = other.tail(Position(0), 1 << 20).await.unwrap();
    assert_eq!(one.take_over(tail.frames).await.unwrap().records.len(), 1);
    let replayed = other.replay(Position(0), 100).await.unwrap();
    assert!(replayed.iter().any(|(_, record)| matches!(record, Record::Facts { .. })), "{replayed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_a_log_hears_of_a_record_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let lake = std::sync::Arc::new(Lake::open(options(&folder.path().join("one"))).await.unwrap());
    let follower = {
        let lake = std::sync::Arc::clone(&lake);
        tokio::spawn(async move { lake.tail(Position(0), 1 << 20).await.unwrap() })
    };
    tokio::task::yield_now().await;
    lake.append(records(&[Native(1, 1, 0)])).await.unwrap();
    let tail = follower.await.unwrap();
    assert_eq!((tail.last, tail.behind, tail.frames.is_empty()), (Position(1), 0, false));
    // A record of the last run is not what was meant: whoever is ahead is told so.
    let tail = lake.tail(Position(50), 1 << 20).await.unwrap();
    assert_eq!((tail.last, tail.frames.len()), (Position(1), 0));
}
