//! Our own JSON API, `/api/v1`: one file for each question.

mod asked;
mod health;
mod journey;
mod journeys;
mod routes;
mod sql;
mod status;
mod stream;

pub(crate) use routes::router;
