//! `TracingConfiguration`: the file of `--tracing-config-file`, or the section of a component's own configuration.

use super::decode::{self, Fields, Registered};
use super::document::{self, Node};
use crate::error::Error;
use crate::gates::FeatureGates;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What an administrator says about tracing: where spans go and how many requests start one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TracingConfiguration {
    /// The collector's address; `localhost:4317` when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// How many of a million requests without a sampled parent start a trace; none when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling_rate_per_million: Option<i32>,
    /// A collector inside the cluster, of KEP-647's older form; reached through the `cluster` egress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceReference>,
}

/// A Service that collects spans, of KEP-647's older form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceReference {
    /// The Service's namespace.
    pub namespace: String,
    /// The Service's name.
    pub name: String,
    /// The Service's port; OTLP's 4317 when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
}

/// A configuration with what its author should change in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The configuration, not validated yet.
    pub configuration: TracingConfiguration,
    /// Old forms that were understood and should be replaced.
    pub deprecations: Vec<String>,
}

const OLD_KIND: &str = "OpenTelemetryClientConfiguration";
const REGISTERED: Registered = Registered {
    kinds: &["TracingConfiguration", OLD_KIND],
    versions: &["apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1beta1", "apiserver.config.k8s.io/v1alpha1"],
    kind_optional: true,
};

impl TracingConfiguration {
    /// Reads, decodes and validates the file of `--tracing-config-file`.
    pub fn from_file(path: &Path) -> Result<Loaded, Error> {
        if path.as_os_str().is_empty() {
            return Err(Error::NoConfigFile);
        }
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| Error::read_config(&shown, &error))?;
        let loaded = Self::decode(&text)?;
        loaded.configuration.validate("").map_err(Error::InvalidConfig)?;
        Ok(loaded)
    }

    /// Does what the API server does with its flags: nothing without a file, and an error for a file whose gate is off.
    pub fn from_flags(path: Option<&Path>, gates: &FeatureGates, feature: &str) -> Result<Option<Loaded>, Error> {
        let Some(path) = path else { return Ok(None) };
        if !gates.enabled(feature, true) {
            return Err(Error::GateOff(feature.to_owned()));
        }
        Self::from_file(path).map(Some)
    }

    /// Decodes a configuration file, YAML or JSON, strictly.
    pub fn decode(text: &str) -> Result<Loaded, Error> {
        decode_file(text).map_err(Error::DecodeConfig)
    }

    /// Decodes and validates the section of a component's own configuration, for example `tracing` in the kubelet's.
    ///
    /// ```
    /// let kubelet = "kind: KubeletConfiguration\ntracing:\n  samplingRatePerMillion: 100\n";
    /// let loaded = clew_instrument::TracingConfiguration::from_section(kubelet, "tracing").unwrap().unwrap();
    /// assert_eq!(loaded.configuration.sampling_rate_per_million, Some(100));
    /// ```
    pub fn from_section(text: &str, section: &str) -> Result<Option<Loaded>, Error> {
        let loaded = decode_section(text, section).map_err(Error::DecodeConfig)?;
        if let Some(loaded) = &loaded {
            loaded.configuration.validate(section).map_err(Error::InvalidConfig)?;
        }
        Ok(loaded)
    }
}

fn decode_file(text: &str) -> Result<Loaded, String> {
    let document = document::parse(text)?;
    let kind = decode::kind(&document, &REGISTERED)?;
    let mut fields = Fields::of(&document.root, "TracingConfiguration", String::new())?;
    fields.take("apiVersion");
    fields.take("kind");
    let mut unknown = Vec::new();
    let mut loaded = Loaded::default();
    let old = kind == OLD_KIND;
    if old {
        loaded.deprecations.push(format!("kind {OLD_KIND} is deprecated: use TracingConfiguration with endpoint"));
    }
    body(fields, old, &mut loaded, &mut unknown)?;
    decode::strict_error(&document.duplicates, unknown)?;
    Ok(loaded)
}

fn decode_section(text: &str, section: &str) -> Result<Option<Loaded>, String> {
    let document = document::parse(text)?;
    let Node::Map(entries) = &document.root else { return Ok(None) };
    let Some((_, node)) = entries.iter().find(|(key, node)| key == section && *node != Node::Null) else {
        return Ok(None);
    };
    let fields = Fields::of(node, "TracingConfiguration", section.to_owned())?;
    let mut unknown = Vec::new();
    let mut loaded = Loaded::default();
    body(fields, true, &mut loaded, &mut unknown)?;
    decode::strict_error(&document.duplicates, unknown)?;
    Ok(Some(loaded))
}

fn body(mut fields: Fields<'_>, old: bool, loaded: &mut Loaded, unknown: &mut Vec<String>) -> Result<(), String> {
    let configuration = &mut loaded.configuration;
    configuration.endpoint = fields.text("endpoint")?;
    configuration.sampling_rate_per_million = fields.int32("samplingRatePerMillion")?;
    if !old {
        fields.finish(unknown);
        return Ok(());
    }
    if let Some(url) = fields.text("url")? {
        loaded.deprecations.push(format!("field {} is deprecated: use endpoint", fields.path_of("url")));
        configuration.endpoint.get_or_insert(url);
    }
    if let Some(node) = fields.take("service") {
        loaded.deprecations.push(format!("field {} is deprecated: use endpoint", fields.path_of("service")));
        configuration.service = Some(service(node, fields.path_of("service"), unknown)?);
    }
    fields.finish(unknown);
    Ok(())
}

fn service(node: &Node, path: String, unknown: &mut Vec<String>) -> Result<ServiceReference, String> {
    let mut fields = Fields::of(node, "ServiceReference", path)?;
    let reference = ServiceReference {
        namespace: fields.text("namespace")?.unwrap_or_default(),
        name: fields.text("name")?.unwrap_or_default(),
        port: fields.int32("port")?,
    };
    fields.finish(unknown);
    Ok(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_kep_form_is_read_with_a_warning() {
        let text = "apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: OpenTelemetryClientConfiguration\nurl: collector:4317\n";
        let loaded = TracingConfiguration::decode(text).unwrap();
        assert_eq!(loaded.configuration.endpoint.as_deref(), Some("collector:4317"));
        assert_eq!(
            loaded.deprecations,
            [
                "kind OpenTelemetryClientConfiguration is deprecated: use TracingConfiguration with endpoint",
                "field url is deprecated: use endpoint",
            ]
        );
    }

    #[test]
    fn url_in_the_current_kind_is_an_unknown_field() {
        let text = "apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nurl: collector:4317\n";
        let error = TracingConfiguration::decode(text).unwrap_err().to_string();
        assert_eq!(error, "unable to decode tracing configuration data: strict decoding error: unknown field \"url\"");
    }

    #[test]
    fn a_section_names_its_path_in_errors() {
        let unknown = TracingConfiguration::from_section("tracing:\n  foo: 1\n", "tracing").unwrap_err();
        assert!(unknown.to_string().ends_with("unknown field \"tracing.foo\""), "{unknown}");
        let invalid =
            TracingConfiguration::from_section("tracing:\n  samplingRatePerMillion: -1\n", "tracing").unwrap_err();
        assert!(invalid.to_string().contains("tracing.samplingRatePerMillion: Invalid value: -1"), "{invalid}");
    }

    #[test]
    fn a_file_for_a_feature_that_is_off_is_refused() {
        let gates: FeatureGates = "APIServerTracing=false".parse().unwrap();
        let error = TracingConfiguration::from_flags(Some("x".as_ref()), &gates, "APIServerTracing").unwrap_err();
        assert_eq!(error.to_string(), "APIServerTracing feature is not enabled, but tracing config file was provided");
        assert_eq!(TracingConfiguration::from_flags(None, &gates, "APIServerTracing").unwrap(), None);
    }

    #[test]
    fn a_configuration_without_the_section_has_none() {
        assert_eq!(TracingConfiguration::from_section("kind: KubeletConfiguration\n", "tracing").unwrap(), None);
    }

    #[test]
    fn a_kubelet_section_with_url_is_read_with_a_warning() {
        let loaded = TracingConfiguration::from_section("tracing:\n  url: a:1\n", "tracing").unwrap().unwrap();
        assert_eq!(loaded.configuration.endpoint.as_deref(), Some("a:1"));
        assert_eq!(loaded.deprecations, ["field tracing.url is deprecated: use endpoint"]);
    }
}
