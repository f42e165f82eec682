//! Our own JSON API, `/api/v1`: one file for each question.

mod asked;
mod compare;
mod extent;
mod health;
mod heatmap;
mod histogram;
mod journey;
mod journeys;
mod metrics;
mod objects;
mod openapi;
mod routes;
mod runs;
mod sql;
mod stats;
mod status;
mod stream;
mod values;

pub(crate) use routes::{paths, router};
