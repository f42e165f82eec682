//! Whether a decoded [`TracingConfiguration`] may be used, by Kubernetes' rules.

use super::endpoint::Endpoint;
use super::field::{FieldError, FieldErrors, child};
use super::go_url;
use super::tracing::TracingConfiguration;

const MAX_SAMPLING_RATE_PER_MILLION: i32 = 1_000_000;

impl TracingConfiguration {
    /// Checks the values; `path` is where the configuration sits (empty for a file of its own, `tracing` in the kubelet's).
    ///
    /// ```
    /// let configuration = clew_instrument::TracingConfiguration { sampling_rate_per_million: Some(-1), ..Default::default() };
    /// let errors = configuration.validate("tracing").unwrap_err();
    /// assert_eq!(errors.to_string(), "tracing.samplingRatePerMillion: Invalid value: -1: sampling rate must be positive");
    /// ```
    pub fn validate(&self, path: &str) -> Result<(), FieldErrors> {
        let mut errors = Vec::new();
        if let Some(rate) = self.sampling_rate_per_million {
            errors.extend(sampling_rate(rate, child(path, "samplingRatePerMillion")));
        }
        if let Some(endpoint) = &self.endpoint {
            errors.extend(validate_endpoint(endpoint, child(path, "endpoint")));
        }
        FieldErrors(errors).into_result()
    }
}

fn sampling_rate(rate: i32, path: String) -> Option<FieldError> {
    if rate < 0 {
        return Some(FieldError::invalid(path, rate.to_string(), "sampling rate must be positive"));
    }
    if rate > MAX_SAMPLING_RATE_PER_MILLION {
        let detail = "sampling rate per million must be less than or equal to one million";
        return Some(FieldError::invalid(path, rate.to_string(), detail));
    }
    None
}

fn validate_endpoint(endpoint: &str, path: String) -> Option<FieldError> {
    if Endpoint::is_short_unix(endpoint) {
        return None;
    }
    let url = if endpoint.contains("//") { endpoint.to_owned() } else { format!("dns://{endpoint}") };
    let scheme = match go_url::scheme(&url) {
        Ok(scheme) => scheme,
        Err(reason) => return Some(FieldError::invalid(path, go_url::quote(&url), reason)),
    };
    if matches!(scheme.as_str(), "dns" | "unix" | "unix-abstract") {
        return None;
    }
    let detail = format!(
        "unsupported scheme: {scheme}.  Options are none, dns, unix, or unix-abstract.  See \
         https://github.com/grpc/grpc/blob/master/doc/naming.md"
    );
    Some(FieldError::invalid(path, go_url::quote(&url), detail))
}
