//! Images of our own: one binary each, made without a registry, a daemon or a base image.

mod archive;
mod binary;
mod image;
mod load;

pub(crate) use archive::hex;
pub use binary::clew as clew_binary;
pub(crate) use image::ensure;
pub use image::{CLEW, Image, PAUSE, WORKLOAD};
pub(crate) use load::import;
pub use load::load;
