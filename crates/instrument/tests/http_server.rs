//! The HTTP server layer: names, attributes, parentage, trust, streams and upgrades, over a real server.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{any, get};
use clew_instrument::http::{Caller, Filter, Hold, ServerLayer, Trust, filter};
use clew_instrument::{InContext, Tracing, start};
use clew_testkit::otlp::Sink;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use std::time::Duration;
use support::{PARENT, SAMPLED, TRACE, attribute, hex, named, send, serve, spans, tracing_to};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An API as Kubernetes' own tests see it: each request stores something below its span.
async fn api() -> &'static str {
    let span = start("Create etcd3", []);
    span.event("About to Encode", []);
    span.event("Txn call succeeded", []);
    span.end_with_threshold(Duration::from_millis(500));
    "{}"
}

/// Stands for an authentication: the test says in a header who the caller is.
async fn authenticate(mut request: Request, next: Next) -> Response {
    let groups = request.headers().get("test-groups").map(|value| value.to_str().unwrap().to_owned());
    if let Some(groups) = groups {
        let groups = groups.split(',').map(str::to_owned).collect();
        request.extensions_mut().insert(Caller { user: "tester".into(), groups });
    }
    next.run(request).await
}

async fn api_server(tracing: &Tracing) -> String {
    let router = Router::new().fallback(any(api)).layer(ServerLayer::new(tracing));
    format!("http://{}", serve(router.layer(middleware::from_fn(authenticate))).await)
}

#[tokio::test]
async fn each_verb_has_the_name_and_attributes_of_kubernetes() {
    let cases = [
        ("POST", "/api/v1/nodes", "POST /api/v1/nodes", "create"),
        ("GET", "/api/v1/nodes/fake", "GET /api/v1/nodes/{:name}", "get"),
        ("GET", "/api/v1/nodes", "GET /api/v1/nodes", "list"),
        ("GET", "/api/v1/nodes?watch=true", "GET /api/v1/nodes", "watch"),
        ("PUT", "/api/v1/nodes/fake", "PUT /api/v1/nodes/{:name}", "update"),
        ("PATCH", "/api/v1/nodes/fake", "PATCH /api/v1/nodes/{:name}", "patch"),
        ("DELETE", "/api/v1/nodes/fake", "DELETE /api/v1/nodes/{:name}", "delete"),
    ];
    for (method, path, name, verb) in cases {
        let sink = Sink::start().unwrap();
        let tracing = tracing_to(&sink, 0);
        let url = api_server(&tracing).await;
        let headers = [
            ("traceparent", SAMPLED),
            ("test-groups", "system:masters"),
            ("user-agent", "tracing.test"),
            ("audit-id", "4c6f7a5a-1111-2222-3333-444455556666"),
        ];
        send(method, format!("{url}{path}"), &headers).await;
        let all = spans(&tracing, &sink, 2);
        let server = named(&all, name);
        assert_eq!(server.kind, SpanKind::Server as i32);
        assert_eq!((hex(&server.trace_id).as_str(), hex(&server.parent_span_id).as_str()), (TRACE, PARENT));
        let expect = |key: &str, value: &str| assert_eq!(attribute(server, key).as_deref(), Some(value), "{key}");
        expect("http.request.method", method);
        expect("url.path", path.split('?').next().unwrap());
        expect("http.route", name.split_once(' ').unwrap().1);
        expect("user_agent.original", "tracing.test");
        expect("audit-id", "4c6f7a5a-1111-2222-3333-444455556666");
        expect("http.response.status_code", "200");
        expect("k8s.request.verb", verb);
        expect("k8s.request.resource", "nodes");
        expect("server.address", "127.0.0.1");
        expect("network.protocol.version", "1.1");
        let stored = named(&all, "Create etcd3");
        assert_eq!(stored.parent_span_id, server.span_id);
        let events: Vec<&str> = stored.events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(events, ["About to Encode", "Txn call succeeded"]);
    }
}

#[tokio::test]
async fn an_unauthenticated_sampled_context_yields_no_span_in_that_trace() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 0);
    let url = api_server(&tracing).await;
    send("GET", format!("{url}/api/v1/nodes"), &[("traceparent", SAMPLED)]).await;
    assert!(tracing.flush(support::SOON));
    assert_eq!(sink.spans().len(), 0);
    assert_eq!(tracing.snapshot().unsampled(), 2);
}

#[tokio::test]
async fn only_the_trusted_are_parents_and_the_others_are_links() {
    let cases = [
        (None, false),
        (Some("system:authenticated"), false),
        (Some("system:authenticated,system:masters"), true),
        (Some("system:monitoring"), true),
    ];
    for (groups, trusted) in cases {
        let sink = Sink::start().unwrap();
        let tracing = tracing_to(&sink, 1_000_000);
        let url = api_server(&tracing).await;
        let mut headers = vec![("traceparent", SAMPLED), ("tracestate", "vendor=1")];
        headers.extend(groups.map(|groups| ("test-groups", groups)));
        send("GET", format!("{url}/api/v1/nodes"), &headers).await;
        let all = spans(&tracing, &sink, 2);
        let server = named(&all, "GET /api/v1/nodes");
        assert_eq!(hex(&server.trace_id) == TRACE, trusted, "{groups:?}");
        let links: Vec<String> =
            server.links.iter().map(|link| format!("{}-{}", hex(&link.trace_id), hex(&link.span_id))).collect();
        if trusted {
            assert_eq!((hex(&server.parent_span_id).as_str(), links.len()), (PARENT, 0));
            assert_eq!(server.trace_state, "vendor=1");
        } else {
            assert_eq!((server.parent_span_id.len(), links), (0, vec![format!("{TRACE}-{PARENT}")]));
            assert_eq!(server.links[0].trace_state, "vendor=1");
        }
    }
}

#[tokio::test]
async fn trust_can_be_any_rule() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 0);
    let layer = ServerLayer::new(&tracing).trust(Trust::caller(|caller| caller.user == "tester"));
    let router = Router::new().fallback(any(api)).layer(layer).layer(middleware::from_fn(authenticate));
    let url = format!("http://{}/x", serve(router).await);
    send("GET", url.clone(), &[("traceparent", SAMPLED)]).await;
    send("GET", url, &[("traceparent", SAMPLED), ("test-groups", "")]).await;
    let all = spans(&tracing, &sink, 2);
    assert_eq!(support::names(&all), ["Create etcd3", "GET"]);
}

async fn filtered() -> &'static str {
    for which in [
        Filter::Authentication,
        Filter::Authorization,
        Filter::Audit,
        Filter::PriorityAndFairness,
        Filter::Impersonation,
    ] {
        filter(which, async { start("inner", []).end() }).await;
    }
    "ok"
}

#[tokio::test]
async fn filters_have_spans_of_their_own_below_the_requests() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new().route("/healthz", get(filtered)).layer(ServerLayer::new(&tracing));
    send("GET", format!("http://{}/healthz", serve(router).await), &[]).await;
    let all = spans(&tracing, &sink, 11);
    let server = all.iter().find(|span| span.kind == SpanKind::Server as i32).unwrap();
    for name in ["authentication", "authorization", "audit", "priorityandfairness", "impersonation"] {
        let span = named(&all, name);
        assert_eq!(span.parent_span_id, server.span_id, "{name}");
        assert_eq!(all.iter().filter(|inner| inner.parent_span_id == span.span_id).count(), 1, "{name}");
    }
}

async fn watch() -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<String, std::io::Error>>(1);
    tokio::spawn(async move {
        for line in 0..3 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            sender.send(Ok(format!("{line}\n"))).await.unwrap();
        }
    });
    let stream = tokio_stream::wrappers::ReceiverStream::new(receiver);
    Response::new(Body::from_stream(stream))
}

#[tokio::test]
async fn a_watch_lasts_as_long_as_its_stream() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new().fallback(get(watch)).layer(ServerLayer::new(&tracing));
    let url = format!("http://{}/api/v1/pods?watch=1", serve(router).await);
    let response = send("GET", url, &[]).await;
    assert_eq!(response.body(), "0\n1\n2\n");
    let all = spans(&tracing, &sink, 1);
    let took = Duration::from_nanos(all[0].end_time_unix_nano - all[0].start_time_unix_nano);
    assert!(took >= Duration::from_millis(140), "{took:?}");
    assert_eq!(attribute(&all[0], "k8s.request.verb").as_deref(), Some("watch"));
}

async fn exec(request: Request) -> Response {
    let hold = Hold::current();
    let inside = hold.context().clone();
    tokio::spawn(
        async move {
            let upgraded = hyper::upgrade::on(request).await.unwrap();
            let mut stream = hyper_util::rt::TokioIo::new(upgraded);
            let mut word = [0; 4];
            stream.read_exact(&mut word).await.unwrap();
            start("ran", []).end();
            tokio::time::sleep(Duration::from_millis(100)).await;
            stream.write_all(&word).await.unwrap();
            drop(hold);
        }
        .in_context(inside),
    );
    Response::builder()
        .status(101)
        .header("connection", "upgrade")
        .header("upgrade", "SPDY/3.1")
        .body(Body::empty())
        .unwrap()
}

#[tokio::test]
async fn an_upgrade_passes_and_its_span_lasts_while_it_is_held() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new().fallback(any(exec)).layer(ServerLayer::new(&tracing));
    let address = serve(router).await;
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request =
        "POST /api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = vec![0; 12];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 101");
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert_eq!(sink.spans().len(), 0);
    stream.write_all(b"echo").await.unwrap();
    let mut word = [0; 4];
    stream.read_exact(&mut word).await.unwrap();
    assert_eq!(&word, b"echo");
    let all = spans(&tracing, &sink, 2);
    let server = named(&all, "POST /api/v1/namespaces/{:namespace}/pods/{:name}/exec");
    assert_eq!(attribute(server, "http.response.status_code").as_deref(), Some("101"));
    assert_eq!(named(&all, "ran").parent_span_id, server.span_id);
    assert!(server.end_time_unix_nano - server.start_time_unix_nano >= 95_000_000);
}

async fn echo(upgrade: axum::extract::ws::WebSocketUpgrade) -> Response {
    let hold = Hold::current();
    upgrade.on_upgrade(|mut socket| async move {
        while let Some(Ok(message)) = socket.recv().await {
            if socket.send(message).await.is_err() {
                break;
            }
        }
        drop(hold);
    })
}

#[tokio::test]
async fn a_websocket_passes_both_ways() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new().route("/attach", any(echo)).layer(ServerLayer::new(&tracing));
    let mut stream = tokio::net::TcpStream::connect(serve(router).await).await.unwrap();
    let request = "GET /attach HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    // A masked text frame of two letters, its mask zero; it comes back unmasked.
    stream.write_all(&[0x81, 0x82, 0, 0, 0, 0, b'h', b'i']).await.unwrap();
    let mut frame = [0; 4];
    stream.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame, [0x81, 0x02, b'h', b'i']);
    assert_eq!(sink.spans().len(), 0, "the span lasts while the socket does");
    drop(stream);
    let all = spans_later(&tracing, &sink).await;
    assert_eq!(attribute(&all[0], "http.response.status_code").as_deref(), Some("101"));
}

/// The first span of a sink, once the server's own task has ended it.
async fn spans_later(tracing: &Tracing, sink: &Sink) -> Vec<opentelemetry_proto::tonic::trace::v1::Span> {
    for _ in 0..500 {
        if tracing.snapshot().live == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    spans(tracing, sink, 1)
}

#[cfg(feature = "axum")]
#[tokio::test]
async fn a_route_of_axum_names_the_span() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new().route("/journeys/{id}", get(|| async { "" })).layer(ServerLayer::new(&tracing));
    send("GET", format!("http://{}/journeys/4711", serve(router).await), &[]).await;
    let all = spans(&tracing, &sink, 1);
    assert_eq!(all[0].name, "GET /journeys/{id}");
    assert_eq!(attribute(&all[0], "http.route").as_deref(), Some("/journeys/{id}"));
}

#[tokio::test]
async fn a_failure_of_the_server_is_an_error_and_a_refusal_is_not() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let router = Router::new()
        .route("/broken", get(|| async { http::StatusCode::SERVICE_UNAVAILABLE }))
        .route("/forbidden", get(|| async { http::StatusCode::FORBIDDEN }))
        .layer(ServerLayer::new(&tracing));
    let url = format!("http://{}", serve(router).await);
    send("GET", format!("{url}/broken"), &[]).await;
    send("GET", format!("{url}/forbidden"), &[]).await;
    let all = spans(&tracing, &sink, 2);
    let of = |code: &str| {
        all.iter().find(|span| attribute(span, "http.response.status_code").as_deref() == Some(code)).unwrap()
    };
    assert_eq!(of("503").status.as_ref().map(|status| status.code), Some(2));
    assert_eq!(attribute(of("503"), "error.type").as_deref(), Some("503"));
    assert_eq!(of("403").status, None);
}
