//! Traces as the tools of others see them: a journey with its native spans below it, or a native trace that joined none.

mod asked;
mod fault;
mod find;
mod id;
mod load;
mod moment;
mod proto;
mod summary;

pub(crate) use asked::Asked;
pub(crate) use fault::Fault;
pub(crate) use find::{Search, find};
pub(crate) use id::trace_id;
pub(crate) use load::{journey_of_any, load, load_all};
pub(crate) use proto::{any_json, traces_data};
pub(crate) use summary::{Summary, service_of};
