//! Where and how OTLP is spoken: the `OTEL_EXPORTER_OTLP_*` variables, and the endpoint of a `TracingConfiguration`.

use super::exporter::Exporter;
use super::otlp_grpc::OtlpGrpc;
use super::otlp_http::OtlpHttp;
use crate::config::{DEFAULT_PORT, Endpoint, TracingConfiguration};
use crate::error::Error;
use crate::net::{Connector, Dialer, TlsFiles, client_config};
use crate::settings::{Environment, invalid, percent_decode};
use http::{HeaderName, HeaderValue};
use std::sync::Arc;

/// The port of OTLP over HTTP.
const HTTP_PORT: u16 = 4318;
/// The most headers that a variable may bring.
const MAX_HEADERS: usize = 64;

/// The forms of OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    HttpProtobuf,
    HttpJson,
}

/// All that an OTLP exporter needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OtlpSettings {
    pub(crate) protocol: Protocol,
    pub(crate) endpoint: Endpoint,
    /// The paths for traces and metrics, for HTTP.
    pub(crate) paths: [String; 2],
    pub(crate) tls: Option<TlsFiles>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) gzip: bool,
}

impl OtlpSettings {
    /// What the environment says; `default_protocol` holds when it does not say which form.
    pub(crate) fn from_env(env: &Environment, default_protocol: Protocol) -> Result<Self, Error> {
        let protocol = protocol(env, default_protocol)?;
        let default_port = if protocol == Protocol::Grpc { DEFAULT_PORT } else { HTTP_PORT };
        let mut settings = Self {
            protocol,
            endpoint: Endpoint::Tcp { host: "localhost".to_owned(), port: default_port },
            paths: ["/v1/traces".to_owned(), "/v1/metrics".to_owned()],
            tls: None,
            headers: headers(env)?,
            gzip: gzip(env)?,
        };
        let (value, for_traces) = match env.own("ENDPOINT").or_else(|| env.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) {
            Some(value) => (Some(value), true),
            None => (env.get("OTEL_EXPORTER_OTLP_ENDPOINT"), false),
        };
        let mut secure = false;
        if let Some(value) = value {
            secure = settings.read_url(value, for_traces).map_err(|reason| Error::Environment {
                name: "OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(),
                value: value.to_owned(),
                reason,
            })?;
        }
        settings.tls = tls(env, secure);
        Ok(settings)
    }

    /// What the environment says, but at a URL of the caller's.
    pub(crate) fn at(url: &str, env: &Environment, protocol: Protocol) -> Result<Self, Error> {
        let mut settings = Self::from_env(&Environment::default(), protocol)?;
        settings.headers = headers(env)?;
        settings.gzip = gzip(env)?;
        let secure = settings.read_url(url, false).map_err(|reason| Error::Exporter {
            name: "otlp".to_owned(),
            reason: format!("endpoint {url}: {reason}"),
        })?;
        settings.tls = tls(env, secure);
        Ok(settings)
    }

    /// What a `TracingConfiguration` says, with TLS, headers and compression from the environment.
    pub(crate) fn from_configuration(configuration: &TracingConfiguration, env: &Environment) -> Result<Self, Error> {
        let mut settings = Self::from_env(env, Protocol::Grpc)?;
        if let Some(service) = &configuration.service {
            let port = service.port.and_then(|port| u16::try_from(port).ok()).unwrap_or(DEFAULT_PORT);
            settings.endpoint = Endpoint::Tcp { host: format!("{}.{}.svc", service.name, service.namespace), port };
        } else if let Some(endpoint) = &configuration.endpoint {
            let default_port = settings.endpoint.port().unwrap_or(DEFAULT_PORT);
            settings.endpoint = Endpoint::parse(endpoint, default_port).map_err(|reason| Error::Exporter {
                name: "otlp".to_owned(),
                reason: format!("endpoint {endpoint}: {reason}"),
            })?;
        }
        Ok(settings)
    }

    /// Reads `http://host:port/path`, `https://…` or one of gRPC's forms; says whether it asks for TLS.
    fn read_url(&mut self, value: &str, for_traces: bool) -> Result<bool, String> {
        let default_port = self.endpoint.port().unwrap_or(DEFAULT_PORT);
        let (secure, rest) = match value.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            _ => {
                self.endpoint = Endpoint::parse(value, default_port)?;
                return Ok(false);
            }
        };
        let (authority, path) = rest.split_once('/').map_or((rest, ""), |(authority, path)| (authority, path));
        // A URL without a port means the port of its scheme, but for OTLP's own port over plain text.
        let default_port = if secure { 443 } else { default_port };
        self.endpoint = Endpoint::authority(authority, default_port)?;
        let path = path.trim_end_matches('/');
        if for_traces && !path.is_empty() {
            self.paths[0] = format!("/{path}");
        } else if !path.is_empty() {
            self.paths = ["traces", "metrics"].map(|signal| format!("/{path}/v1/{signal}"));
        }
        Ok(secure)
    }

    /// The connector for these settings.
    pub(crate) fn connector(&self, dialer: Dialer) -> Result<Connector, Error> {
        let alpn: &[u8] = if self.protocol == Protocol::Grpc { b"h2" } else { b"http/1.1" };
        let tls = match &self.tls {
            Some(files) => {
                Some(client_config(files, alpn).map_err(|reason| Error::Exporter { name: "otlp".to_owned(), reason })?)
            }
            None => None,
        };
        Ok(Connector { dialer, to: self.endpoint.clone(), tls })
    }

    /// The exporter for these settings.
    pub(crate) fn exporter(self, dialer: Dialer) -> Result<Arc<dyn Exporter>, Error> {
        let connector = self.connector(dialer)?;
        Ok(match self.protocol {
            Protocol::Grpc => Arc::new(OtlpGrpc::new(self, connector)),
            Protocol::HttpProtobuf | Protocol::HttpJson => Arc::new(OtlpHttp::new(self, connector)),
        })
    }
}

fn protocol(env: &Environment, default: Protocol) -> Result<Protocol, Error> {
    match env.otlp("PROTOCOL") {
        None => Ok(default),
        Some("grpc") => Ok(Protocol::Grpc),
        Some("http/protobuf") => Ok(Protocol::HttpProtobuf),
        Some("http/json") => Ok(Protocol::HttpJson),
        Some(other) => Err(invalid("OTEL_EXPORTER_OTLP_PROTOCOL", other, "known are grpc, http/protobuf, http/json")),
    }
}

fn gzip(env: &Environment) -> Result<bool, Error> {
    match env.otlp("COMPRESSION") {
        None | Some("none") => Ok(false),
        Some("gzip") => Ok(true),
        Some(other) => Err(invalid("OTEL_EXPORTER_OTLP_COMPRESSION", other, "known are gzip and none")),
    }
}

/// TLS files; they, an `https` endpoint, or an explicit `INSECURE=false` ask for TLS.
fn tls(env: &Environment, secure: bool) -> Option<TlsFiles> {
    let some = |name| env.otlp(name).map(str::to_owned);
    let files =
        TlsFiles { authorities: some("CERTIFICATE"), certificate: some("CLIENT_CERTIFICATE"), key: some("CLIENT_KEY") };
    let insecure = env.otlp("INSECURE").map(|value| value.eq_ignore_ascii_case("true"));
    let wanted = secure || insecure == Some(false) || files != TlsFiles::default();
    (wanted && insecure != Some(true)).then_some(files)
}

/// `key=value,key=value`, percent-encoded; the values may be secrets and are never shown.
fn headers(env: &Environment) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
    let text = env.otlp("HEADERS").unwrap_or_default();
    let mut headers = Vec::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()).take(MAX_HEADERS) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = HeaderName::try_from(name.trim().to_ascii_lowercase());
        let value = HeaderValue::try_from(percent_decode(value.trim()));
        let (Ok(name), Ok(mut value)) = (name, value) else {
            return Err(invalid(
                "OTEL_EXPORTER_OTLP_HEADERS",
                "…",
                "give key=value pairs, separated by commas, percent-encoded",
            ));
        };
        value.set_sensitive(true);
        headers.push((name, value));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> OtlpSettings {
        let env = Environment::from_pairs(pairs.iter().copied()).with_prefix("CLEW");
        OtlpSettings::from_env(&env, Protocol::Grpc).unwrap()
    }

    #[test]
    fn without_variables_it_is_grpc_on_localhost() {
        let settings = settings(&[]);
        assert_eq!(settings.protocol, Protocol::Grpc);
        assert_eq!(settings.endpoint.to_string(), "localhost:4317");
        assert_eq!(settings.tls, None);
    }

    #[test]
    fn a_base_url_gets_the_signals_path_and_an_own_one_is_taken_as_it_is() {
        let base = settings(&[
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:9/otlp/"),
        ]);
        assert_eq!(base.paths, ["/otlp/v1/traces", "/otlp/v1/metrics"]);
        assert_eq!(base.endpoint.to_string(), "collector:9");
        let own = settings(&[
            ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://collector/custom"),
        ]);
        assert_eq!(own.paths[0], "/custom");
        assert_eq!(own.endpoint.to_string(), "collector:443");
        assert!(own.tls.is_some());
    }

    #[test]
    fn the_components_own_variable_wins() {
        let settings =
            settings(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"), ("CLEW_TRACE_ENDPOINT", "http://b:2")]);
        assert_eq!(settings.endpoint.to_string(), "b:2");
    }

    #[test]
    fn headers_are_decoded_and_kept_secret() {
        let settings = settings(&[("OTEL_EXPORTER_OTLP_HEADERS", "Api-Key=se%20cret,x=1")]);
        assert_eq!(settings.headers[0].1, "se cret");
        assert!(!format!("{settings:?}").contains("se cret"));
    }

    #[test]
    fn files_ask_for_tls_and_insecure_forbids_it() {
        assert!(settings(&[("OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem")]).tls.is_some());
        assert!(settings(&[("OTEL_EXPORTER_OTLP_INSECURE", "false")]).tls.is_some());
        let forbidden =
            settings(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "https://a"), ("OTEL_EXPORTER_OTLP_INSECURE", "true")]);
        assert!(forbidden.tls.is_none());
    }

    #[test]
    fn a_bad_value_names_its_variable() {
        let env = Environment::from_pairs([("OTEL_EXPORTER_OTLP_PROTOCOL", "carrier-pigeon")]);
        let error = OtlpSettings::from_env(&env, Protocol::Grpc).unwrap_err().to_string();
        assert!(
            error.contains("OTEL_EXPORTER_OTLP_PROTOCOL") && error.contains("grpc, http/protobuf, http/json"),
            "{error}"
        );
    }
}
