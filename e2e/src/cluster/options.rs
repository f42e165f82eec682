//! What a cluster is asked to be: the flags of `cluster up`, and the options of a test.

use serde::{Deserialize, Serialize};

use super::{Name, Version};

/// The choices for one cluster.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    /// Tells clusters that run side by side apart
    #[arg(long, default_value = "default")]
    pub name: Name,
    /// The version of Kubernetes
    #[arg(long, value_enum, default_value_t)]
    pub kubernetes: Version,
    /// Leave out containerd, the kubelet and kube-proxy
    #[arg(long)]
    pub control_plane_only: bool,
    /// Send the spans of the API server and the kubelet to this OTLP/gRPC address inside, as HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub tracing_endpoint: Option<String>,
    /// The bearer token that these spans bring, for a receiver that wants one
    #[arg(long, value_name = "TOKEN")]
    pub tracing_token: Option<String>,
    /// How many of a million requests are traced
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sampling_rate_per_million: u32,
    /// Send audit events to this URL inside, beside the audit log
    #[arg(long, value_name = "URL")]
    pub audit_webhook: Option<String>,
    /// Let the kubelet use this socket instead of containerd's, so that a proxy can sit between
    #[arg(long, value_name = "SOCKET", value_parser = unix_address)]
    pub cri_endpoint: Option<String>,
    /// Add N simulated nodes with kwok
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub kwok: u32,
    /// Make this port of the machine's loopback reachable at the same port of the cluster's
    #[arg(long, value_name = "PORT")]
    pub reach: Vec<u16>,
}

impl Options {
    /// The default cluster under a name: the full node, no tracing.
    pub fn new(name: Name) -> Self {
        Self {
            name,
            kubernetes: Version::default(),
            control_plane_only: false,
            tracing_endpoint: None,
            tracing_token: None,
            sampling_rate_per_million: 1_000_000,
            audit_webhook: None,
            cri_endpoint: None,
            kwok: 0,
            reach: Vec::new(),
        }
    }

    /// How many nodes are Ready when the cluster is.
    pub(crate) fn nodes(&self) -> usize {
        let kubelet = usize::from(!self.control_plane_only);
        kubelet + usize::try_from(self.kwok).unwrap_or(usize::MAX - 1)
    }
}

fn unix_address(text: &str) -> Result<String, String> {
    let path = text.strip_prefix("unix://").unwrap_or(text);
    if path.starts_with('/') {
        return Ok(path.to_owned());
    }
    Err("give the absolute path of a unix socket".to_owned())
}

#[cfg(test)]
mod tests {
    use super::unix_address;

    #[test]
    fn a_socket_may_be_given_as_a_path_or_a_url() {
        assert_eq!(unix_address("unix:///a/b.sock").unwrap(), "/a/b.sock");
        assert_eq!(unix_address("/a/b.sock").unwrap(), "/a/b.sock");
        assert!(unix_address("tcp://127.0.0.1:1").is_err());
    }
}
