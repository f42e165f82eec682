//! The server: what people and their tools ask a store, over HTTP.
//!
//! Knows the [`clew_store::Store`] trait and nothing of how a store stores.
//!
//! | to | see |
//! |---|---|
//! | serve a store | [`App`], [`router`] |
//! | tell those who look what changed | [`Live`] |
//! | show how the pipeline is | [`Report`] |
//! | keep others out, and few in | [`Access`], [`ServeLimits`] |
//! | show users of a cluster what they may read there | [`Users`] |
//! | give objects a trace context when they are made | [`admission`] |
//! | let Jaeger's tools ask over gRPC | [`JaegerService`] |

mod access;
pub mod admission;
mod api;
mod app;
mod clock;
mod compare;
mod error;
mod guard;
mod jaeger;
mod live;
pub mod matching;
mod metrics;
mod page;
pub mod parameters;
mod pieces;
mod report;
mod routes;
mod serve;
mod tempo;
mod title;
mod tools;
mod trace;
pub mod traceql;
mod usual;
mod view;
mod viewed;
mod window;
mod writer;

pub use access::Users;
pub use app::{App, router};
pub use error::ApiError;
pub use guard::Access;
pub use jaeger::{JaegerService, messages as jaeger_messages};
pub use live::{About, Event, Live, LiveCounts, Subscription};
pub use report::{Check, Counter, DropReport, Report, Reporter, SourceReport, SourceState, StageReport};
pub use routes::paths;
pub use serve::{ServeLimits, serve};
pub use title::title;
pub use view::object_kind;
