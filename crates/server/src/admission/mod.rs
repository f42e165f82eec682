//! The admission webhook: objects get the trace context of the change that makes or alters them.
//!
//! | to | see |
//! |---|---|
//! | serve it | [`router`], [`Webhook`] |
//! | have the API server call it | [`configuration`] |
//! | know what it would do | [`decide`] |
//!
//! It never refuses a request and never waits for anything; the API server goes on without it after a second.

mod annotations;
mod change;
mod configuration;
mod decide;
mod facts;
mod handler;
mod patch;
mod review;

pub use configuration::{Reached, Trust, configuration};
pub use decide::{Asked, Decision, Operation, Origin, Settings, Stamp, Why, decide};
pub use facts::AdmissionFacts;
pub use handler::{Webhook, router};
pub use patch::patch;
