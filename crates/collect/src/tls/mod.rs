//! TLS of the listeners: certificates that change while they are shown, and clients that show theirs.
//!
//! | to | see |
//! |---|---|
//! | listen | [`Tls`], [`Clients`] |
//! | show the certificate of files, and follow them | [`Files`] |
//! | show one of clew's own making, under an authority of its own | [`Own`] |
//! | keep what clew makes for itself | [`Keep`] |
//! | know who a client is | [`VerifiedClient`] |

mod authority;
mod certificate;
mod client;
mod files;
mod keep;
mod listen;
mod own;

pub use authority::Authorities;
pub use certificate::Certificate;
pub use client::{VerifiedClient, client_of};
pub use files::Files;
pub use keep::Keep;
pub use listen::{Clients, Tls};
pub use own::Own;
