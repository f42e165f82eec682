//! What the API server answers to a list and a watch, as far as it must be understood.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::step::Outcome;

/// A page of a list.
#[derive(Deserialize)]
pub(super) struct Page<'a> {
    #[serde(borrow, default)]
    pub(super) metadata: Metadata<'a>,
    #[serde(borrow, default)]
    pub(super) items: Option<Vec<&'a RawValue>>,
}

/// The part of metadata that a watch lives on.
#[derive(Default, Deserialize)]
pub(super) struct Metadata<'a> {
    #[serde(rename = "resourceVersion", borrow, default)]
    pub(super) version: Option<Cow<'a, str>>,
    #[serde(rename = "continue", borrow, default)]
    token: Option<Cow<'a, str>>,
}

impl Page<'_> {
    pub(super) fn outcome(&self) -> Outcome {
        let next = self.metadata.token.as_deref().filter(|token| !token.is_empty());
        Outcome::Page {
            version: self.metadata.version.as_deref().unwrap_or_default().to_owned(),
            next: next.map(str::to_owned),
        }
    }
}

/// A line of a watch.
#[derive(Deserialize)]
pub(super) struct Change<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) object: &'a RawValue,
}

#[derive(Deserialize)]
struct Versioned<'a> {
    #[serde(borrow, default)]
    metadata: Metadata<'a>,
}

#[derive(Deserialize)]
struct Refusal {
    code: u16,
}

impl Change<'_> {
    /// The version of the object, from which a watch can go on.
    pub(super) fn version(&self) -> Option<String> {
        let versioned: Versioned<'_> = serde_json::from_str(self.object.get()).ok()?;
        versioned.metadata.version.map(Cow::into_owned)
    }

    /// What an ERROR in the stream means.
    pub(super) fn refusal(&self) -> Outcome {
        let refusal: Option<Refusal> = serde_json::from_str(self.object.get()).ok();
        refusal.map_or(Outcome::Failed, |refusal| outcome_of(refusal.code))
    }

    /// Whether the type is one that a capture holds.
    pub(super) fn is_known(&self) -> bool {
        ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"].contains(&self.kind.as_ref())
    }
}

/// What a code other than 200 means.
pub(super) fn outcome_of(code: u16) -> Outcome {
    match code {
        401 | 403 => Outcome::Forbidden,
        404 | 405 => Outcome::NotFound,
        410 => Outcome::Gone,
        _ => Outcome::Failed,
    }
}
