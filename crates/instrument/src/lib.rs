//! Tracing for Kubernetes components written in Rust, as KEP-647 and KEP-2831 describe it.
//!
//! An API server, an admission webhook, a kubelet, a proxy or a command line tool that uses this crate reads the same
//! `TracingConfiguration` as Kubernetes' own components, has the same four states, names its spans in the same way and
//! never names OpenTelemetry itself: this crate is the one place that knows how spans are made and sent.
//!
//! What must not be here: anything of `kube`, and anything that blocks or panics in its caller.
//!
//! | to | see |
//! |---|---|
//! | read what an administrator wrote | [`TracingConfiguration`], [`FeatureGates`], [`EgressSelectorConfiguration`] |
//! | set tracing up, reload it, end it | [`Tracing`], [`State`], [`exit`], [`flush_on_signals`], [`flush_on_panic`] |
//! | start a span and say what happens | [`start`], [`Span`], [`Context`], [`SyncLoop`] |
//! | trace a server or a client | [`http`], [`grpc`] |
//! | send spans somewhere | [`export`] |
//! | know whether they arrive | [`Snapshot`], [`Ledger`], [`Slo`] |

mod attribute;
mod builder;
mod config;
mod delivery;
mod error;
pub mod export;
mod gates;
pub mod grpc;
pub mod http;
mod ids;
mod layer;
mod metrics;
mod net;
mod otlp;
mod pipeline;
mod propagate;
mod runtime;
mod sampler;
mod settings;
mod state;
mod steps;
mod sync;
mod trace;
mod tracing;

pub use attribute::{Attribute, Text, Value, attr};
pub use builder::Builder;
pub use clew_model::Baggage;
pub use config::{
    EgressSelection, EgressSelectorConfiguration, Endpoint, FieldError, FieldErrors, Loaded, ProxyProtocol,
    ServiceReference, TcpTransport, TlsConfig, TracingConfiguration, Transport,
};
pub use delivery::{exit, flush_all, flush_on_panic, flush_on_signals};
pub use error::Error;
pub use gates::FeatureGates;
pub use ids::{SpanId, TraceId};
pub use metrics::{Slo, Snapshot};
pub use pipeline::{Batching, Ledger, Retrying, SpoolSettings};
pub use propagate::Propagators;
pub use sampler::Sampler;
pub use settings::Environment;
pub use state::State;
pub use trace::{
    Context, Entered, Event, InContext, Iteration, Kind, Limits, Link, Scoped, Span, SpanContext, SpanRecord, SpanRef,
    Status, SyncLoop, start,
};
pub use tracing::Tracing;
