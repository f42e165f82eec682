//! What is to be recorded, and from where.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::watch::Selection;

/// A recording as it was asked for; a source that is `None` is left out.
#[derive(Debug)]
pub struct Plan {
    /// The folder that becomes the capture.
    pub out: PathBuf,
    /// The key under which secrets are hashed; random, and never written.
    pub key: [u8; 32],
    /// Where audit events come from.
    pub audit: Option<AuditFrom>,
    /// Which cluster is watched.
    pub watch: Option<WatchFrom>,
    /// Where spans are received.
    pub otlp: Option<OtlpFrom>,
}

/// Where audit events come from.
#[derive(Debug, Clone)]
pub enum AuditFrom {
    /// The API server's log file, followed through rotation.
    Log(PathBuf),
    /// A webhook that the API server posts to, at `/audit/<cluster>`.
    Webhook(SocketAddr),
}

/// Which cluster is watched, and which of its resources.
#[derive(Debug)]
pub struct WatchFrom {
    /// The kubeconfig; `None` for the usual places, then the pod's service account.
    pub kubeconfig: Option<PathBuf>,
    /// The context in it; `None` for its current one.
    pub context: Option<String>,
    /// The resources.
    pub selection: Selection,
}

/// Where spans are received.
#[derive(Debug, Clone, Copy)]
pub struct OtlpFrom {
    /// OTLP/gRPC.
    pub grpc: SocketAddr,
    /// OTLP over HTTP, protobuf or JSON.
    pub http: SocketAddr,
}
