//! Where spans go: the address forms of gRPC naming, and the URLs of the OTLP variables.

use std::fmt;

/// A collector's address, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A host and a port, reached over TCP.
    Tcp {
        /// A name, an IPv4 address, or an IPv6 address without brackets.
        host: String,
        /// The port.
        port: u16,
    },
    /// A unix socket with a path.
    Unix(String),
    /// A unix socket in Linux' abstract namespace, its name without the leading zero byte.
    UnixAbstract(String),
}

/// The port of OTLP over gRPC.
pub(crate) const DEFAULT_PORT: u16 = 4317;

impl Default for Endpoint {
    fn default() -> Self {
        Self::Tcp { host: "localhost".to_owned(), port: DEFAULT_PORT }
    }
}

impl Endpoint {
    /// Reads `host:port`, `dns:///host:port`, `unix:path`, `unix:///path`, `unix-abstract:name`.
    ///
    /// ```
    /// use clew_instrument::Endpoint;
    /// assert_eq!(Endpoint::parse("dns:///collector:55680", 4317).unwrap().to_string(), "collector:55680");
    /// assert_eq!(Endpoint::parse("unix:///run/otlp.sock", 4317).unwrap(), Endpoint::Unix("/run/otlp.sock".into()));
    /// ```
    pub fn parse(text: &str, default_port: u16) -> Result<Self, String> {
        if let Some(rest) = text.strip_prefix("unix-abstract:") {
            return Ok(Self::UnixAbstract(rest.trim_start_matches('/').to_owned()));
        }
        if let Some(rest) = text.strip_prefix("unix:") {
            // gRPC naming has `unix:path` and `unix:///absolute`; Kubernetes' own test also has `unix://path`.
            let path = rest.strip_prefix("//").unwrap_or(rest);
            return Ok(Self::Unix(path.to_owned()));
        }
        let authority = match text.strip_prefix("dns:") {
            Some(rest) => dns_target(rest),
            None => text,
        };
        Self::authority(authority, default_port)
    }

    /// Reads `host`, `host:port` or `[v6]:port`.
    pub(crate) fn authority(text: &str, default_port: u16) -> Result<Self, String> {
        let text = text.split('/').next().unwrap_or_default();
        if text.is_empty() {
            return Ok(Self::Tcp { host: "localhost".to_owned(), port: default_port });
        }
        if let Some(rest) = text.strip_prefix('[') {
            let (host, port) = rest.split_once(']').ok_or_else(|| format!("missing ']' in {text}"))?;
            return Ok(Self::Tcp {
                host: host.to_owned(),
                port: parse_port(port.trim_start_matches(':'), default_port)?,
            });
        }
        match text.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') => {
                Ok(Self::Tcp { host: host.to_owned(), port: parse_port(port, default_port)? })
            }
            // More than one colon without brackets can only be a bare IPv6 address.
            _ => Ok(Self::Tcp { host: text.to_owned(), port: default_port }),
        }
    }

    /// The forms `unix:path` and `unix-abstract:name`, which gRPC knows and Kubernetes' validation misreads as host and port.
    pub(super) fn is_short_unix(text: &str) -> bool {
        let rest = text.strip_prefix("unix:").or_else(|| text.strip_prefix("unix-abstract:"));
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with("//"))
    }

    /// The host that TLS verifies and `server.address` shows.
    pub fn host(&self) -> &str {
        match self {
            Self::Tcp { host, .. } => host,
            Self::Unix(path) | Self::UnixAbstract(path) => path,
        }
    }

    /// The port, if it has one.
    pub fn port(&self) -> Option<u16> {
        match self {
            Self::Tcp { port, .. } => Some(*port),
            Self::Unix(_) | Self::UnixAbstract(_) => None,
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "unix:{path}"),
            Self::UnixAbstract(name) => write!(f, "unix-abstract:{name}"),
        }
    }
}

/// What `dns:` points at: `dns:host:port`, `dns:///host:port`; an authority (`dns://resolver/host`) is skipped,
/// and `dns://host:port`, which Kubernetes' documentation shows, is taken as the host.
fn dns_target(rest: &str) -> &str {
    let Some(after) = rest.strip_prefix("//") else { return rest };
    match after.split_once('/') {
        Some((_, target)) if !target.is_empty() => target,
        _ => after,
    }
}

fn parse_port(text: &str, default: u16) -> Result<u16, String> {
    if text.is_empty() {
        return Ok(default);
    }
    text.parse().map_err(|_| format!("invalid port {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_grpc_naming_is_understood() {
        let cases = [
            ("localhost:4317", "localhost:4317"),
            ("collector", "collector:4317"),
            ("[::1]:9", "[::1]:9"),
            ("::1", "[::1]:4317"),
            ("dns:///collector:55680", "collector:55680"),
            ("dns://google.com:4317", "google.com:4317"),
            ("dns://8.8.8.8/collector:1", "collector:1"),
            ("dns:foo:1", "foo:1"),
            ("unix:/run/a.sock", "unix:/run/a.sock"),
            ("unix:///run/a.sock", "unix:/run/a.sock"),
            ("unix-abstract:otlp", "unix-abstract:otlp"),
            ("unix-abstract://otlp", "unix-abstract:otlp"),
            ("", "localhost:4317"),
        ];
        for (text, expected) in cases {
            assert_eq!(Endpoint::parse(text, 4317).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_port_beyond_65535_is_an_error() {
        assert!(Endpoint::parse("a:70000", 4317).is_err());
    }
}
