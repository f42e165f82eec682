//! Step tables: the text traces of Kubernetes' `utiltrace`, kept for every span, recorded or not.

mod go_time;
mod log;
mod pool;
mod table;
mod tree;

pub(crate) use pool::StepRef;
