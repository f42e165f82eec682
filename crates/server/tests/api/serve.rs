//! Connections, over real sockets.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use clew_server::{ServeLimits, router, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::support::app;

const LIMITS: ServeLimits =
    ServeLimits { connections: 4, head_time: Duration::from_millis(300), farewell: Duration::from_millis(200) };

async fn start() -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    (address, stop, tokio::spawn(serve(listener, router(app()), LIMITS, stopped)))
}

async fn ask(stream: &mut TcpStream, path: &str) {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).await.unwrap();
}

async fn head(stream: &mut TcpStream) -> String {
    let mut buffer = vec![0; 4096];
    let read = stream.read(&mut buffer).await.unwrap_or(0);
    String::from_utf8_lossy(&buffer[..read]).into_owned()
}

#[tokio::test]
async fn who_says_nothing_or_too_slowly_is_let_go() {
    let (address, _stop, _) = start().await;
    for beginning in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: localhost\r\nx: "] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(5), head(&mut stream)).await;
        let told = ended.unwrap_or_else(|_| panic!("{beginning:?} was held for good"));
        assert!(!told.contains("200 OK"), "{told}");
    }
}

#[tokio::test]
async fn more_connections_than_there_is_room_for_are_closed_and_the_rest_served() {
    let (address, _stop, _) = start().await;
    let mut served = Vec::new();
    for _ in 0..LIMITS.connections {
        let mut stream = TcpStream::connect(address).await.unwrap();
        ask(&mut stream, "/healthz").await;
        assert!(head(&mut stream).await.contains("200 OK"));
        served.push(stream);
    }
    let mut late = TcpStream::connect(address).await.unwrap();
    assert_eq!(head(&mut late).await, "");
    served.pop();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut next = TcpStream::connect(address).await.unwrap();
    ask(&mut next, "/healthz").await;
    assert!(head(&mut next).await.contains("200 OK"));
}

#[tokio::test]
async fn the_end_does_not_wait_for_streams_that_never_end() {
    let (address, stop, serving) = start().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    ask(&mut stream, "/api/v1/journeys/stream").await;
    assert!(head(&mut stream).await.contains("text/event-stream"));
    let began = Instant::now();
    stop.send(()).unwrap();
    serving.await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(2));
}
