//! The other replicas of `clew up`, and the Lease that says which of them leads.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clew_collect::replica::LeaseName;
use serde::Deserialize;

/// Where a pod finds the namespace that it runs in.
const NAMESPACE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
/// What the Lease is called in it.
const LEASE: &str = "clew";

/// The other replicas; none for one alone.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Peers {
    /// Another replica of this clew, by the address of its page; may be given several times, and be this one.
    #[arg(long, value_name = "URL", env = "CLEW_PEER", value_delimiter = ',')]
    peer: Vec<String>,
    /// How many replicas there are, for a * in --peer that stands for their numbers from 0 on; one is alone.
    #[arg(long, value_name = "N", env = "CLEW_REPLICAS", value_parser = clap::value_parser!(u8).range(1..=8))]
    replicas: Option<u8>,
    /// The authority, in PEM, that signs the certificates of the other replicas [default: clew's own with --tls-own, else the system's].
    #[arg(long, value_name = "FILE", env = "CLEW_PEER_CA")]
    pub(crate) peer_ca: Option<PathBuf>,
    /// The Lease whose holder forwards [default: clew, in the namespace of this pod].
    #[arg(long, value_name = "NAMESPACE/NAME", env = "CLEW_LEASE")]
    lease: Option<String>,
}

impl Peers {
    /// What the flags leave open is taken from the file.
    pub(super) fn or(self, file: Self) -> Self {
        Self {
            peer: if self.peer.is_empty() { file.peer } else { self.peer },
            replicas: self.replicas.or(file.replicas),
            peer_ca: self.peer_ca.or(file.peer_ca),
            lease: self.lease.or(file.lease),
        }
    }

    /// Where all replicas are, this one perhaps among them; none for one alone.
    pub(crate) fn peers(&self) -> Vec<String> {
        if self.replicas == Some(1) {
            return Vec::new();
        }
        let numbers = 0..self.replicas.unwrap_or(0);
        let expand = |url: &String| match url.split_once('*') {
            Some((before, after)) => numbers.clone().map(|number| format!("{before}{number}{after}")).collect(),
            None => vec![url.clone()],
        };
        self.peer.iter().flat_map(expand).collect()
    }

    /// The Lease; none without other replicas.
    pub(crate) fn lease(&self) -> anyhow::Result<Option<LeaseName>> {
        if self.replicas.is_none() && self.peer.iter().any(|url| url.contains('*')) {
            bail!("--peer has a * for the numbers of the replicas: say how many there are with --replicas");
        }
        // The Lease of one alone does no harm: a chart names it whatever the number.
        if self.replicas == Some(1) {
            return Ok(None);
        }
        match (&self.lease, self.peer.as_slice()) {
            (None, []) => Ok(None),
            (Some(_), []) => bail!("--lease is for several replicas: name the others with --peer"),
            (Some(name), _) => Ok(Some(name.parse().map_err(anyhow::Error::msg)?)),
            (None, _) => {
                let namespace = std::fs::read_to_string(NAMESPACE);
                let namespace =
                    namespace.context("--peer needs a Lease, so that one replica leads: name it with --lease")?;
                Ok(Some(LeaseName { namespace: namespace.trim().to_owned(), name: LEASE.to_owned() }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_replicas_need_a_lease_and_one_alone_has_none() {
        let replicas = |peer: &[&str], lease: Option<&str>| Peers {
            peer: peer.iter().map(ToString::to_string).collect(),
            lease: lease.map(str::to_owned),
            ..Peers::default()
        };
        assert!(replicas(&[], None).lease().expect("alone").is_none());
        assert!(replicas(&[], Some("clew/clew")).lease().is_err());
        assert!(replicas(&["http://a"], Some("clew")).lease().is_err());
        assert!(replicas(&["http://a"], Some("clew/clew")).lease().expect("named").is_some());
    }

    #[test]
    fn a_star_stands_for_the_numbers_of_the_replicas() {
        let peer = vec!["https://clew-*.pods:1".to_owned()];
        let of = |replicas| Peers { peer: peer.clone(), replicas, ..Peers::default() };
        assert_eq!(of(Some(2)).peers(), ["https://clew-0.pods:1", "https://clew-1.pods:1"]);
        assert!(of(Some(1)).peers().is_empty() && of(Some(1)).lease().expect("alone").is_none());
        assert!(of(None).lease().is_err());
    }
}
