//! Ten thousand connections.

use std::time::Duration;

use prost::Message;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use crate::client::{PROTOBUF, grpc, post, request, span};
use crate::server::{Server, limited};

const CONNECTIONS: usize = 10_000;
const PLACES: usize = 500;

/// The clients' ends are in this process, beside the receiver's places; takes as many as the machine allows.
fn raise_file_limit() -> usize {
    let now = getrlimit(Resource::Nofile);
    let wanted = now.maximum.unwrap_or(u64::MAX).min(30_000);
    setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: now.maximum }).expect("a limit of our own");
    let fits = usize::try_from(wanted).expect("small").saturating_sub(PLACES + 1000);
    fits.min(CONNECTIONS)
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connections_harm_nobody_who_is_there_already() {
    let count = raise_file_limit();
    assert!(count > 2 * PLACES, "the machine allows too few files to show anything");
    let server = Server::start(&limited(|limits| {
        limits.connections = PLACES;
        limits.head_time = Duration::from_secs(8);
    }))
    .await;
    let mut early = grpc(&server.grpc()).await;
    early.export(request(vec![span("before")])).await.expect("taken");

    let mut flood = Vec::with_capacity(count);
    for _ in 0..count {
        flood.push(TcpStream::connect(server.http()).await.expect("connect"));
    }
    early.export(request(vec![span("during")])).await.expect("whoever is there is served");
    server.wait_until(|received| received.connections_refused > 0).await;
    let closed = wait_for_closed(&mut flood, count - PLACES).await;
    assert!(closed >= count - PLACES, "{closed} of {count} were closed");

    // Those who got a place and say nothing lose it, and there is room again.
    server.wait_until(|received| received.connections_slow >= PLACES as u64 - 1).await;
    let body = request(vec![span("after")]).encode_to_vec();
    assert_eq!(post(&server.http(), &[PROTOBUF], &body).await.code, 200);
    assert_eq!(server.names(), ["before", "during", "after"]);
    let received = server.receiver.received();
    assert_eq!(received.accepts_failed, 0);
    assert!(received.connections_refused >= (count - PLACES) as u64);
}

/// Counts those that the receiver has closed, for a few seconds at most.
async fn wait_for_closed(flood: &mut [TcpStream], wanted: usize) -> usize {
    let mut closed = 0;
    for _ in 0..100 {
        closed = 0;
        for stream in flood.iter_mut() {
            let mut byte = [0];
            let read = tokio::time::timeout(Duration::ZERO, stream.read(&mut byte)).await;
            closed += usize::from(matches!(read, Ok(Ok(0) | Err(_))));
        }
        if closed >= wanted {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    closed
}
