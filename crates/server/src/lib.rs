//! The server: what people and their tools ask a store, over HTTP.
//!
//! Knows the [`clew_store::Store`] trait and nothing of how a store stores.

mod app;
mod error;
pub mod traceql;

pub use app::{App, router};
pub use error::ApiError;
