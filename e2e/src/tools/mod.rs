//! What a cluster needs on the machine: Debian's packages, Kubernetes' own binaries, images.

mod golang;
mod needed;
mod packages;
mod python;

pub(crate) use golang::STAGES_FILE;
pub use needed::{Tools, helm, set_up};
pub(crate) use needed::{kubernetes, sealed_secrets};
pub(crate) use python::ensure as python;
