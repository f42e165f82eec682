//! How a receiver listens and what it takes.

use std::net::SocketAddr;
use std::time::Duration;

use clew_store::otlp;

use crate::tls::Tls;

/// How a receiver listens. The default: loopback, without TLS.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where OTLP/gRPC is taken; none for nowhere.
    pub grpc: Option<SocketAddr>,
    /// Where OTLP/HTTP is taken; none for nowhere.
    pub http: Option<SocketAddr>,
    /// The certificate that it shows, and the clients' that it wants to see.
    pub tls: Option<Tls>,
    /// The bearer tokens, one of which a client must send; empty asks for none.
    pub tokens: Vec<String>,
    /// Whether other machines may send in clear text.
    pub insecure: bool,
    /// What it takes.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            grpc: Some(([127, 0, 0, 1], 4317).into()),
            http: Some(([127, 0, 0, 1], 4318).into()),
            tls: None,
            tokens: Vec::new(),
            insecure: false,
            limits: Limits::default(),
        }
    }
}

/// What a receiver takes, from all clients together and from each.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once; further ones are closed.
    pub connections: usize,
    /// Requests at once on one connection.
    pub streams: u32,
    /// Bytes of one request, before and after unpacking.
    pub request_bytes: usize,
    /// Bytes of all requests that are being taken; further ones are told to come back.
    pub memory_bytes: usize,
    /// Until a new connection has sent the head of its first request, TLS included.
    pub head_time: Duration,
    /// Until a request's body is here.
    pub body_time: Duration,
    /// Until an answer has left for a client that reads slowly.
    pub write_time: Duration,
    /// How long a connection may do nothing.
    pub idle_time: Duration,
    /// How long the sink may take to make spans durable.
    pub sink_time: Duration,
    /// How far in the future a span may begin: clocks differ, years do not.
    pub future: Duration,
    /// What a request and its spans may hold.
    pub spans: otlp::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            streams: 128,
            request_bytes: 16 * 1024 * 1024,
            memory_bytes: 128 * 1024 * 1024,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            write_time: Duration::from_secs(20),
            idle_time: Duration::from_mins(5),
            sink_time: Duration::from_secs(30),
            future: Duration::from_hours(24),
            spans: otlp::Limits::default(),
        }
    }
}
