//! The cluster from inside: its namespaces' set-up, its components and their start.

mod accounts;
pub(crate) mod address;
mod board;
pub(crate) mod cgroups;
mod components;
mod kubectl;
mod mounts;
mod network;
mod probe;
mod process_one;
mod simulated;
mod starter;

pub(crate) use process_one::init;
pub(crate) use starter::start;
