//! Configuration that Kubernetes defines, read as Kubernetes reads it: strictly, and with its texts.

mod decode;
mod document;
mod egress;
mod egress_validate;
mod endpoint;
mod field;
mod go_url;
mod scalar;
mod tracing;
mod validate;

pub use egress::{EgressSelection, EgressSelectorConfiguration, ProxyProtocol, TcpTransport, TlsConfig, Transport};
pub(crate) use endpoint::DEFAULT_PORT;
pub use endpoint::Endpoint;
pub use field::{FieldError, FieldErrors};
pub use tracing::{Loaded, ServiceReference, TracingConfiguration};
