//! The OTLP receiver: spans over gRPC and HTTP, acknowledged once they are durable.
//!
//! | to | see |
//! |---|---|
//! | receive | [`Receiver`], [`Settings`], [`Limits`] |
//! | say where spans go | [`SpanSink`] |
//! | see what happened | [`Received`], by way of [`Receiver::received`] |
//!
//! Both protocols are one service: a body of bounded size, read within a bounded time and within a bounded memory of all
//! requests together, unpacked up to a limit, checked span by span, and handed to the sink. Only then comes the answer.

mod answer;
mod body;
mod budget;
mod connection;
mod counters;
mod encoding;
mod frame;
mod grpc;
mod http;
mod json;
mod listen;
mod pipeline;
mod receiver;
mod refusal;
mod service;
mod settings;
mod sink;
mod stall;
mod tokens;

pub use counters::{Received, RefusedRequests};
pub use json::to_protobuf as json_to_protobuf;
pub use receiver::Receiver;
pub use settings::{Limits, Settings};
pub use sink::SpanSink;

pub(crate) use answer::RpcStatus;
pub(crate) use listen::serve;
pub(crate) use service::Service;
