//! Whether a decoded [`EgressSelectorConfiguration`] may be used, by Kubernetes' rules and in its texts.

use super::egress::{EgressSelection, EgressSelectorConfiguration, ProxyProtocol, TcpTransport, TlsConfig};
use super::field::{FieldError, FieldErrors};
use std::path::Path;

const NAMES: [&str; 3] = ["cluster", "controlplane", "etcd"];
const CONNECTION: &str = "service.connection";

impl EgressSelectorConfiguration {
    /// Checks protocols, transports, files and names.
    pub fn validate(&self) -> Result<(), FieldErrors> {
        let mut errors: Vec<FieldError> = self.selections.iter().filter_map(connection).collect();
        let mut seen: Vec<String> = Vec::new();
        for (index, selection) in self.selections.iter().enumerate() {
            let name = selection.name.to_lowercase();
            if seen.contains(&name) {
                errors.push(FieldError::duplicate(format!("{CONNECTION}[{index}]"), &name));
                continue;
            }
            if !NAMES.contains(&name.as_str()) {
                errors.push(FieldError::not_supported(CONNECTION, &name, &NAMES));
            }
            seen.push(name);
        }
        FieldErrors(errors).into_result()
    }
}

fn connection(selection: &EgressSelection) -> Option<FieldError> {
    let transport = selection.transport.as_ref();
    match &selection.protocol {
        ProxyProtocol::Direct => transport.map(|_| {
            FieldError::invalid(
                format!("{CONNECTION}.transport"),
                "\"direct\"",
                "config must be absent for direct connect",
            )
        }),
        ProxyProtocol::HttpConnect => {
            let Some(transport) = transport else {
                let detail = "transport must be set for HTTPConnect";
                return Some(FieldError::required(format!("{CONNECTION}.transport"), detail));
            };
            let tcp_path = format!("{CONNECTION}.tcp");
            match (&transport.tcp, &transport.uds) {
                (Some(tcp), Some(_)) => {
                    Some(FieldError::invalid(tcp_path, format!("{:?}", tcp.url), "TCP and UDS cannot both be set"))
                }
                (None, None) => Some(FieldError::required(tcp_path, "One of TCP or UDS must be set")),
                (Some(tcp), None) => tcp_transport(tcp),
                (None, Some(path)) => socket(path),
            }
        }
        ProxyProtocol::Grpc => match transport {
            None => Some(FieldError::required(format!("{CONNECTION}.transport"), "transport must be set for GRPC")),
            Some(transport) => match &transport.uds {
                Some(path) => socket(path),
                None => Some(FieldError::required(format!("{CONNECTION}.uds"), "UDS must be set with GRPC")),
            },
        },
        ProxyProtocol::Unknown(text) => {
            Some(FieldError::not_supported(format!("{CONNECTION}.protocol"), text, &["Direct", "GRPC", "HTTPConnect"]))
        }
    }
}

fn socket(path: &str) -> Option<FieldError> {
    let detail = "must be present for UDS connections";
    path.is_empty().then(|| FieldError::invalid(format!("{CONNECTION}.udsName"), "\"nil\"", detail))
}

fn tcp_transport(tcp: &TcpTransport) -> Option<FieldError> {
    if tcp.url.starts_with("http://") {
        let detail = "config must not be present when using HTTP";
        return tcp.tls.as_ref().map(|_| FieldError::invalid(format!("{CONNECTION}.tlsConfig"), "\"nil\"", detail));
    }
    if tcp.url.starts_with("https://") {
        return match &tcp.tls {
            None => {
                let detail = "TLSConfig must be present when using HTTPS";
                Some(FieldError::required(format!("{CONNECTION}.tlsConfig"), detail))
            }
            Some(config) => tls(config),
        };
    }
    let detail = "supported connection protocols are http:// and https://";
    Some(FieldError::invalid(format!("{CONNECTION}.url"), format!("{:?}", tcp.url), detail))
}

fn tls(config: &TlsConfig) -> Option<FieldError> {
    let missing = |file: &str| !Path::new(file).exists();
    let invalid = |field: &str, value: &str, detail: &str| {
        Some(FieldError::invalid(format!("{CONNECTION}.tlsConfig.{field}"), format!("{value:?}"), detail))
    };
    if !config.ca_bundle.is_empty() && missing(&config.ca_bundle) {
        return invalid("caBundle", &config.ca_bundle, "TLS config ca bundle does not exist");
    }
    if config.client_cert.is_empty() {
        return invalid("clientCert", "nil", "Using TLS requires clientCert");
    }
    if missing(&config.client_cert) {
        return invalid("clientCert", &config.client_cert, "TLS client cert does not exist");
    }
    if config.client_key.is_empty() {
        return invalid("clientKey", "nil", "Using TLS requires requires clientKey");
    }
    if missing(&config.client_key) {
        return invalid("clientKey", &config.client_key, "TLS client key does not exist");
    }
    None
}
