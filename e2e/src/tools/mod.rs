//! What a cluster needs on the machine: Debian's packages, Kubernetes' own binaries, images.

mod golang;
mod needed;
mod operators;
mod packages;
mod python;

pub(crate) use golang::STAGES_FILE;
pub(crate) use needed::kubernetes;
pub use needed::{Tools, helm, set_up};
pub(crate) use operators::operator;
pub(crate) use python::ensure as python;
