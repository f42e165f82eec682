//! Feature gates: `--feature-gates=KubeletTracing=true,…`, read as Kubernetes reads them.

use crate::error::Error;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Which features an administrator switched on or off, by any name.
///
/// ```
/// use clew_instrument::FeatureGates;
/// let gates: FeatureGates = "KubeletTracing=false,Other=true".parse().unwrap();
/// assert!(!gates.enabled("KubeletTracing", true));
/// assert!(gates.enabled("APIServerTracing", true));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureGates(BTreeMap<String, bool>);

impl FeatureGates {
    /// Whether a feature is on; `default` holds when nobody said anything.
    pub fn enabled(&self, name: &str, default: bool) -> bool {
        self.0.get(name).copied().unwrap_or(default)
    }

    /// Switches one feature.
    pub fn set(&mut self, name: impl Into<String>, enabled: bool) {
        self.0.insert(name.into(), enabled);
    }

    /// The features that somebody switched, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, bool)> {
        self.0.iter().map(|(name, enabled)| (name.as_str(), *enabled))
    }

    /// Refuses names that the component does not know, in Kubernetes' text.
    pub fn check_known(&self, known: &[&str]) -> Result<(), Error> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Error::Gates(format!("unrecognized feature gate: {name}"))),
        }
    }
}

impl FromStr for FeatureGates {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut gates = Self::default();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Error::Gates(format!("missing bool value for {}", pair.trim())));
            };
            let (name, value) = (name.trim(), value.trim());
            let Some(enabled) = parse_bool(value) else {
                let reason = format!("strconv.ParseBool: parsing {value:?}: invalid syntax");
                return Err(Error::Gates(format!("invalid value of {name}={value}, err: {reason}")));
            };
            gates.set(name, enabled);
        }
        Ok(gates)
    }
}

/// The words that Go's `strconv.ParseBool` takes.
fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_kubernetes() {
        let error = |text: &str| text.parse::<FeatureGates>().unwrap_err().to_string();
        assert_eq!(error("KubeletTracing"), "missing bool value for KubeletTracing");
        assert_eq!(
            error("KubeletTracing=yes"),
            "invalid value of KubeletTracing=yes, err: strconv.ParseBool: parsing \"yes\": invalid syntax"
        );
        let gates: FeatureGates = "Foo=true".parse().unwrap();
        assert_eq!(gates.check_known(&["Bar"]).unwrap_err().to_string(), "unrecognized feature gate: Foo");
    }

    #[test]
    fn the_last_word_on_a_gate_wins() {
        let gates: FeatureGates = " A = true ,,A=false".parse().unwrap();
        assert!(!gates.enabled("A", true));
    }
}
