//! Several replicas of clew as one: each follows the others' logs, and one of them acts outward.
//!
//! | to | see |
//! |---|---|
//! | let others follow this log | [`router`] |
//! | follow theirs | [`follow`] |
//! | know whether this one may act outward | [`Leadership`] |
//! | compete for that | [`Campaign`] |
//!
//! Every replica watches, receives, weaves and answers on its own. Since weaving is a function of the set of facts, and
//! each gets the facts of all, all come to the same journeys (`docs/high-availability.md`).

mod agreement;
mod campaign;
mod client;
mod follow;
mod follower;
mod leadership;
mod lease;
mod place;
mod pullers;
mod serve;
mod standing;

pub use agreement::Agreement;
pub use campaign::{Campaign, LeaseName};
pub use follow::{Peers, follow};
pub use leadership::{Leader, Leadership};
pub use pullers::Pullers;
pub use serve::router;
pub use standing::{PeerState, Standing};
