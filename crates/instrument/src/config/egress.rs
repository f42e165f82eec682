//! `EgressSelectorConfiguration`: which way the control plane's connections leave (KEP-1281), as KEP-647 uses it.

use super::decode::{self, Fields, Registered};
use super::document::{self, Node};
use crate::error::Error;
use std::path::{Path, PathBuf};

/// The ways out that an administrator configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EgressSelectorConfiguration {
    /// One entry for each network context.
    pub selections: Vec<EgressSelection>,
}

/// The way out for one network context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EgressSelection {
    /// `controlplane`, `cluster` or `etcd`; the legacy `master` is read as `controlplane`.
    pub name: String,
    /// How a connection is made.
    pub protocol: ProxyProtocol,
    /// Where the proxy listens; none for a direct connection.
    pub transport: Option<Transport>,
}

/// How a connection leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyProtocol {
    /// Straight to the destination.
    Direct,
    /// Through a proxy that understands HTTP CONNECT.
    HttpConnect,
    /// Through a Konnectivity server's gRPC tunnel: valid to configure, not dialled by this crate.
    Grpc,
    /// Anything else that the file said; refused by validation.
    Unknown(String),
}

/// Where a proxy listens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transport {
    /// `http://host:port` or `https://host:port`.
    pub tcp: Option<TcpTransport>,
    /// The path of a unix socket.
    pub uds: Option<String>,
}

/// A proxy on TCP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TcpTransport {
    /// The proxy's URL.
    pub url: String,
    /// How to trust the proxy and who to be, for `https://`.
    pub tls: Option<TlsConfig>,
}

/// Files for a TLS connection to a proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsConfig {
    /// The certificate authorities to trust.
    pub ca_bundle: String,
    /// The client's key.
    pub client_key: String,
    /// The client's certificate.
    pub client_cert: String,
}

const REGISTERED: Registered = Registered {
    kinds: &["EgressSelectorConfiguration"],
    versions: &["apiserver.k8s.io/v1beta1", "apiserver.k8s.io/v1alpha1"],
    kind_optional: false,
};

impl EgressSelectorConfiguration {
    /// Reads, decodes and validates the file of `--egress-selector-config-file`.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::ReadEgress { path: PathBuf::from(path), reason: error.to_string() })?;
        let configuration = Self::decode(&text)?;
        configuration.validate().map_err(Error::InvalidEgress)?;
        Ok(configuration)
    }

    /// Decodes a configuration file, YAML or JSON, strictly.
    pub fn decode(text: &str) -> Result<Self, Error> {
        decode_text(text).map_err(Error::DecodeEgress)
    }

    /// The way out for a network context, if the administrator chose one.
    pub fn selection(&self, name: &str) -> Option<&EgressSelection> {
        self.selections.iter().find(|selection| selection.name == name)
    }
}

fn decode_text(text: &str) -> Result<EgressSelectorConfiguration, String> {
    let document = document::parse(text)?;
    decode::kind(&document, &REGISTERED)?;
    let mut fields = Fields::of(&document.root, "EgressSelectorConfiguration", String::new())?;
    fields.take("apiVersion");
    fields.take("kind");
    let mut unknown = Vec::new();
    let mut configuration = EgressSelectorConfiguration::default();
    if let Some(Node::List(items)) = fields.take("egressSelections") {
        for (index, item) in items.iter().enumerate() {
            configuration.selections.push(selection(item, format!("egressSelections[{index}]"), &mut unknown)?);
        }
    }
    fields.finish(&mut unknown);
    decode::strict_error(&document.duplicates, unknown)?;
    Ok(configuration)
}

fn selection(node: &Node, path: String, unknown: &mut Vec<String>) -> Result<EgressSelection, String> {
    let mut fields = Fields::of(node, "EgressSelection", path)?;
    let name = fields.text("name")?.unwrap_or_default();
    let name = if name == "master" { "controlplane".to_owned() } else { name };
    let connection_path = fields.path_of("connection");
    let connection = fields.take("connection").unwrap_or(&Node::Null);
    let mut connection = Fields::of(connection, "Connection", connection_path)?;
    let protocol = protocol(connection.text("proxyProtocol")?.unwrap_or_default());
    let transport_path = connection.path_of("transport");
    let transport = match connection.take("transport") {
        Some(node) => Some(transport(node, transport_path, unknown)?),
        None => None,
    };
    connection.finish(unknown);
    fields.finish(unknown);
    Ok(EgressSelection { name, protocol, transport })
}

fn protocol(text: String) -> ProxyProtocol {
    match text.as_str() {
        "Direct" => ProxyProtocol::Direct,
        "HTTPConnect" => ProxyProtocol::HttpConnect,
        "GRPC" => ProxyProtocol::Grpc,
        _ => ProxyProtocol::Unknown(text),
    }
}

fn transport(node: &Node, path: String, unknown: &mut Vec<String>) -> Result<Transport, String> {
    let mut fields = Fields::of(node, "Transport", path)?;
    let mut transport = Transport::default();
    let tcp_path = fields.path_of("tcp");
    if let Some(node) = fields.take("tcp") {
        let mut tcp = Fields::of(node, "TCPTransport", tcp_path)?;
        let url = tcp.text("url")?.unwrap_or_default();
        let tls_path = tcp.path_of("tlsConfig");
        let tls = match tcp.take("tlsConfig") {
            Some(node) => Some(tls_config(node, tls_path, unknown)?),
            None => None,
        };
        tcp.finish(unknown);
        transport.tcp = Some(TcpTransport { url, tls });
    }
    let uds_path = fields.path_of("uds");
    if let Some(node) = fields.take("uds") {
        let mut uds = Fields::of(node, "UDSTransport", uds_path)?;
        transport.uds = Some(uds.text("udsName")?.unwrap_or_default());
        uds.finish(unknown);
    }
    fields.finish(unknown);
    Ok(transport)
}

fn tls_config(node: &Node, path: String, unknown: &mut Vec<String>) -> Result<TlsConfig, String> {
    let mut fields = Fields::of(node, "TLSConfig", path)?;
    let config = TlsConfig {
        ca_bundle: fields.text("caBundle")?.unwrap_or_default(),
        client_key: fields.text("clientKey")?.unwrap_or_default(),
        client_cert: fields.text("clientCert")?.unwrap_or_default(),
    };
    fields.finish(unknown);
    Ok(config)
}
