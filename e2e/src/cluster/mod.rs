//! The cluster as seen from outside: bring it up, use it, take it down.

mod clean;
mod handle;
mod identity;
mod keeper;
mod name;
mod options;
mod pki;
mod processes;
mod relay;
mod settings;
mod status;
mod stream;
mod version;

pub use handle::Cluster;
pub use identity::Identity;
pub(crate) use identity::kubeconfig;
pub(crate) use keeper::keep;
pub use name::Name;
pub use options::Options;
pub(crate) use relay::Relay;
pub(crate) use settings::Settings;
pub use status::{Part, State, Status};
pub(crate) use stream::Address;
pub use version::Version;
