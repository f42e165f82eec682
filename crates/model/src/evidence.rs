//! Why clew says that A caused B.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The evidence that an edge carries; the stronger compares greater.
///
/// ```
/// use clew_model::Evidence;
///
/// assert!(Evidence::Context > Evidence::Timing);
/// assert_eq!("ownership".parse(), Ok(Evidence::Ownership));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// Nothing but the order in time.
    Timing,
    /// One object names the other: pod to node, claim to volume, autoscaler to its target.
    Reference,
    /// ownerReferences, garbage collection, namespace deletion.
    Ownership,
    /// The same UID, sandbox id or container id.
    Identity,
    /// A trace context carried by the request, the object's annotation or the audit id.
    Context,
}

impl Evidence {
    /// All of them, the strongest first.
    pub const ALL: [Self; 5] = [Self::Context, Self::Identity, Self::Ownership, Self::Reference, Self::Timing];

    /// The word that attributes and the UI show.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Identity => "identity",
            Self::Ownership => "ownership",
            Self::Reference => "reference",
            Self::Timing => "timing",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Evidence {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|evidence| evidence.as_str() == text).ok_or(Error::Evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_falls_in_strength() {
        assert!(Evidence::ALL.is_sorted_by(|stronger, weaker| stronger > weaker));
    }

    #[test]
    fn every_evidence_survives_text_and_json() {
        for evidence in Evidence::ALL {
            assert_eq!(evidence.as_str().parse(), Ok(evidence));
            assert_eq!(serde_json::to_string(&evidence).unwrap(), format!("\"{evidence}\""));
        }
        assert_eq!("Context".parse::<Evidence>(), Err(Error::Evidence));
    }
}
