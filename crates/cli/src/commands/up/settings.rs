//! What `clew up` can be told: by flag, by environment variable, or in a file, in this order.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clew_collect::live::Connection;
use clew_collect::tls::{Clients, Files};
use clew_store::lake::{Durability, Options};
use serde::Deserialize;

use super::clusters::Clusters;
use super::keep::Keep;
use super::replicas::Peers;
use super::webhook::WebhookSettings;
use super::who::WhoLooks;

/// Where the page is: c-l-e-w on a telephone's keys.
const HTTP: &str = "127.0.0.1:2539";
const OTLP_GRPC: &str = "127.0.0.1:4317";
const OTLP_HTTP: &str = "127.0.0.1:4318";
/// The cluster of facts and spans that name none.
const CLUSTER: &str = "default";

/// The settings, each of which may be left out. The file has the same names as the flags.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// The folder of the store [default: clew in the user's data folder].
    #[arg(long, value_name = "DIR", env = "CLEW_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Where the tables are, if not in that folder: another one, or a bucket by its `s3` address.
    #[arg(long, value_name = "URL", env = "CLEW_TABLES")]
    pub(crate) tables: Option<String>,
    /// Where the page and the query APIs are [default: 127.0.0.1:2539].
    #[arg(long, value_name = "ADDR", env = "CLEW_HTTP")]
    pub(crate) http: Option<SocketAddr>,
    /// Where spans come in over gRPC [default: 127.0.0.1:4317].
    #[arg(long, value_name = "ADDR", env = "CLEW_OTLP_GRPC")]
    pub(crate) otlp_grpc: Option<SocketAddr>,
    /// Where spans come in over HTTP [default: 127.0.0.1:4318].
    #[arg(long, value_name = "ADDR", env = "CLEW_OTLP_HTTP")]
    pub(crate) otlp_http: Option<SocketAddr>,
    /// The cluster's name, which every journey's id depends on [default: default].
    #[arg(long, value_name = "NAME", env = "CLEW_CLUSTER")]
    pub(crate) cluster: Option<String>,
    /// When data counts as safe: synced to the disk, or handed to the operating system [default: fsync].
    #[arg(long, value_name = "fsync|os", env = "CLEW_DURABILITY", value_parser = ["fsync", "os"])]
    pub(crate) durability: Option<String>,
    /// The certificate chain, in PEM, for every listener.
    #[arg(long, value_name = "FILE", env = "CLEW_TLS_CERT", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its private key, in PEM.
    #[arg(long, value_name = "FILE", env = "CLEW_TLS_KEY", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// The authority, in PEM, whose client certificates senders of spans and audit events must have.
    #[arg(long, value_name = "FILE", env = "CLEW_TLS_CLIENT_CA", requires = "tls_cert")]
    pub(crate) tls_client_ca: Option<PathBuf>,
    /// A file with clew's own bearer token, which shows everything and lets senders in.
    #[arg(long, value_name = "FILE", env = "CLEW_TOKEN_FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Who may look: who has clew's own token, or also the cluster's users, with theirs, who see what they may read
    /// there [default: kubernetes where a cluster is followed and the page is open to others with a token, else own].
    #[arg(long, value_name = "own|kubernetes", env = "CLEW_ACCESS", hide_possible_values = true)]
    pub(crate) access: Option<WhoLooks>,
    /// A Kubernetes `TracingConfiguration` for clew's own requests.
    #[arg(long, value_name = "FILE", env = "CLEW_TRACING_CONFIG_FILE")]
    pub(crate) tracing_config_file: Option<PathBuf>,
    /// An OTLP endpoint that gets every journey as one trace, by gRPC, or by HTTP if it has a path (/v1/traces); may be given several times.
    #[arg(long, value_name = "URL", env = "CLEW_FORWARD", value_delimiter = ',')]
    pub(crate) forward: Vec<String>,
    /// A header of each request that is forwarded, such as authorization=TOKEN.
    #[arg(
        long,
        value_name = "NAME=VALUE",
        env = "CLEW_FORWARD_HEADERS",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub(crate) forward_header: Vec<String>,
    /// The authority, in PEM, that signs the certificates of these endpoints [default: the system's].
    #[arg(long, value_name = "FILE", env = "CLEW_FORWARD_CA")]
    pub(crate) forward_ca: Option<PathBuf>,
    /// The file with the key that hides secrets; made when it is not there [default: in the user's configuration folder].
    #[arg(long, value_name = "FILE", env = "CLEW_KEY_FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Listen beyond this machine even without TLS and a token.
    #[arg(long, env = "CLEW_INSECURE")]
    pub(crate) insecure: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) replicas: Peers,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) clusters: Clusters,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) admission: WebhookSettings,
    /// What a file says that is no setting; a struct that is in parts cannot refuse it by itself.
    #[arg(skip)]
    #[serde(flatten)]
    pub(crate) unknown: BTreeMap<String, toml::Value>,
}

impl Settings {
    /// What the flags and the environment leave open is taken from a file: the one that is named, or the user's own.
    pub(crate) fn with_file(self, named: Option<&Path>) -> anyhow::Result<Self> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => match user_file().filter(|path| path.exists()) {
                Some(path) => path,
                None => return Ok(self),
            },
        };
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = Self::from_toml(&text).with_context(|| format!("{} is not understood", path.display()))?;
        Ok(self.or(file))
    }

    fn from_toml(text: &str) -> anyhow::Result<Self> {
        let file: Self = toml::from_str(text)?;
        match file.unknown.keys().next() {
            Some(name) => bail!("no setting is called {name}: they have the names of the flags of `clew up`"),
            None => Ok(file),
        }
    }

    fn or(self, file: Self) -> Self {
        Self {
            data: self.data.or(file.data),
            tables: self.tables.or(file.tables),
            http: self.http.or(file.http),
            otlp_grpc: self.otlp_grpc.or(file.otlp_grpc),
            otlp_http: self.otlp_http.or(file.otlp_http),
            cluster: self.cluster.or(file.cluster),
            durability: self.durability.or(file.durability),
            tls_cert: self.tls_cert.or(file.tls_cert),
            tls_key: self.tls_key.or(file.tls_key),
            tls_client_ca: self.tls_client_ca.or(file.tls_client_ca),
            token_file: self.token_file.or(file.token_file),
            access: self.access.or(file.access),
            tracing_config_file: self.tracing_config_file.or(file.tracing_config_file),
            forward: if self.forward.is_empty() { file.forward } else { self.forward },
            forward_header: if self.forward_header.is_empty() { file.forward_header } else { self.forward_header },
            forward_ca: self.forward_ca.or(file.forward_ca),
            key_file: self.key_file.or(file.key_file),
            insecure: self.insecure || file.insecure,
            keep: self.keep.or(file.keep),
            replicas: self.replicas.or(file.replicas),
            clusters: self.clusters.or(file.clusters),
            admission: self.admission.or(file.admission),
            unknown: BTreeMap::new(),
        }
    }

    pub(crate) fn http(&self) -> SocketAddr {
        self.http.unwrap_or_else(|| address(HTTP))
    }

    pub(crate) fn otlp_grpc(&self) -> SocketAddr {
        self.otlp_grpc.unwrap_or_else(|| address(OTLP_GRPC))
    }

    pub(crate) fn otlp_http(&self) -> SocketAddr {
        self.otlp_http.unwrap_or_else(|| address(OTLP_HTTP))
    }

    pub(crate) fn cluster(&self) -> &str {
        self.cluster.as_deref().unwrap_or(CLUSTER)
    }

    /// The same, with the name of the only cluster that is followed: its audit events and spans are of that cluster, too.
    pub(crate) fn named_by(&self, connections: &[Connection]) -> Self {
        let only = match connections {
            [only] => Some(only.cluster.to_string()),
            _ => None,
        };
        Self { cluster: self.cluster.clone().or(only), ..self.clone() }
    }

    /// How the store is kept.
    pub(crate) fn lake(&self) -> anyhow::Result<Options> {
        let durability = if self.durability.as_deref() == Some("os") { Durability::Os } else { Durability::Fsync };
        let retention = self.keep.retention();
        Ok(Options { durability, retention, tables: self.tables.clone(), ..Options::at(self.data()?) })
    }

    /// The file with the key that hides secrets: outside the data, so that a copy of those does not bring it along.
    pub(crate) fn key_file(&self) -> anyhow::Result<PathBuf> {
        let own = || folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("clew").join("redaction.key"));
        self.key_file.clone().or_else(own).context("there is no home folder: name a file with --key-file")
    }

    /// The store's folder.
    pub(crate) fn data(&self) -> anyhow::Result<PathBuf> {
        self.data.clone().or_else(user_data).context("there is no home folder: name one with --data DIR")
    }

    /// The bearer token, if there is one.
    pub(crate) fn token(&self) -> anyhow::Result<Option<String>> {
        let Some(path) = &self.token_file else { return Ok(None) };
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read the token in {}", path.display()))?;
        let token = text.trim();
        if token.is_empty() {
            bail!("the token in {} is empty", path.display());
        }
        Ok(Some(token.to_owned()))
    }

    /// The files of the certificate, if there are any.
    pub(crate) fn files(&self) -> Option<Files> {
        Some(Files { certificate: self.tls_cert.clone()?, key: self.tls_key.clone()? })
    }

    /// The certificates that senders of spans must show.
    pub(crate) fn senders(&self) -> Clients {
        self.tls_client_ca.clone().map_or(Clients::Any, Clients::Must)
    }

    /// The certificates that callers of the page's listener may show: API servers have some, browsers none.
    pub(crate) fn callers(&self) -> Clients {
        self.tls_client_ca.clone().map_or(Clients::Any, Clients::May)
    }

    /// Refuses an address beyond this machine without TLS and a token; browsers have no certificates, so only senders of
    /// spans may have them instead.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let has_tls = self.tls_cert.is_some() || self.admission.makes_own();
        let looks = has_tls && (self.token_file.is_some() || self.admission.own_secret.is_some());
        let sends = looks || has_tls && self.tls_client_ca.is_some();
        for (flag, addr, safe) in [
            ("--http", self.http(), looks),
            ("--otlp-grpc", self.otlp_grpc(), sends),
            ("--otlp-http", self.otlp_http(), sends),
        ] {
            if !addr.ip().is_loopback() && !safe && !self.insecure {
                bail!(
                    "{flag} {addr} is open to the network: give --tls-cert, --tls-key and --token-file, or say --insecure"
                );
            }
        }
        Ok(())
    }
}

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap_or_else(|_| SocketAddr::from(([127, 0, 0, 1], 0)))
}

fn user_data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share").map(|folder| folder.join("clew"))
}

fn user_file() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("clew").join("clew.toml"))
}

fn folder(variable: &str, under_home: &str) -> Option<PathBuf> {
    let set = std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    set.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(under_home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_wins_over_the_file() {
        let file = Settings::from_toml("http = '127.0.0.1:1'\ncluster = 'prod'").expect("settings");
        let flags = Settings { cluster: Some("test".into()), ..Settings::default() };
        let both = flags.or(file);
        assert_eq!((both.cluster(), both.http().port()), ("test", 1));
    }

    #[test]
    fn a_word_that_no_setting_has_is_an_error() {
        let error = Settings::from_toml("htpp = 'x'").expect_err("unknown");
        assert!(error.to_string().contains("htpp"), "{error}");
    }

    #[test]
    fn the_file_has_the_names_of_the_flags_whatever_part_they_are_of() {
        let text = "peer = ['https://clew-*:1']\nreplicas = 2\nkubeconfig = ['k']\nsecrets = true\nwebhook = 'clew/clew'\nkeep-journeys = 'forever'\nkeep-size = '50GiB'";
        let file = Settings::from_toml(text).expect("settings");
        assert_eq!(file.replicas.peers().len(), 2);
        assert_eq!(file.clusters.kubeconfig, [PathBuf::from("k")]);
        assert_eq!(file.admission.webhook.as_deref(), Some("clew/clew"));
        let retention = Settings { data: Some("d".into()), ..file }.lake().expect("options").retention;
        assert_eq!((retention.journeys, retention.bytes), (None, Some(50 << 30)));
        let error = Settings::from_toml("keep-journeys = '3 weeks'").expect_err("no age");
        assert!(error.to_string().contains("3 weeks"), "{error}");
    }

    #[test]
    fn the_network_is_reached_only_with_tls_and_a_token() {
        let open = Settings { http: Some(([0, 0, 0, 0], 2539).into()), ..Settings::default() };
        assert!(open.check().is_err());
        assert!(Settings { insecure: true, ..open.clone() }.check().is_ok());
        let tls = Settings { tls_cert: Some("c".into()), tls_key: Some("k".into()), ..open };
        assert!(Settings { token_file: Some("t".into()), ..tls.clone() }.check().is_ok());
        let certified = Settings { tls_client_ca: Some("a".into()), ..tls };
        assert!(certified.check().is_err(), "a browser has no certificate, so everybody could look");
        let sending = Settings { http: None, otlp_grpc: Some(([0, 0, 0, 0], 4317).into()), ..certified };
        assert!(sending.check().is_ok());
    }
}
