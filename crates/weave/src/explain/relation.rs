//! How the object of a candidate is related to the one that was written, and what that weighs.

use std::fmt;

use clew_model::Evidence;

/// How a candidate's object is related to the one that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The write puts back what the candidate took away.
    Restores,
    /// It is the same object, or the one that had its name before.
    Itself,
    /// It owns the object, so many levels up.
    Owns(u8),
    /// It manages the object by a convention of labels or annotations.
    Manages,
    /// The object names it and its kind.
    References,
    /// It names the object and its kind.
    ReferencedBy,
    /// The object owns it.
    Part,
    /// The object has its name somewhere, or it has the object's, or both have the same.
    Mentions,
    /// What the writer reconciles, and made the object for, names it.
    Input,
    /// It is the namespace, whose deletion takes everything with it.
    Ends,
    /// It is the namespace, which something was done to.
    Namespace,
    /// The writer reconciles it, and it may be about the object: it is beside it, or names its namespace.
    Reconciled,
    /// The writer has just written it.
    DealtWith,
}

impl Relation {
    pub(super) fn weight(self) -> i64 {
        match self {
            Self::Restores => 40,
            Self::Ends => 16,
            Self::Itself | Self::Manages => 12,
            Self::Owns(levels) => 12 - i64::from(levels.min(4)),
            Self::References => 11,
            Self::ReferencedBy => 10,
            Self::Part => 9,
            Self::Mentions | Self::Input | Self::Namespace => 8,
            Self::Reconciled => 7,
            Self::DealtWith => 2,
        }
    }

    /// Whether such objects are often related by chance, or by something else.
    pub(super) fn is_loose(self) -> bool {
        matches!(
            self,
            Self::ReferencedBy | Self::Part | Self::Mentions | Self::Input | Self::Namespace | Self::DealtWith
        )
    }

    fn words(self) -> &'static str {
        match self {
            Self::Restores => "is undone",
            Self::Itself => "the same object",
            Self::Owns(_) => "the owner",
            Self::Manages => "the manager",
            Self::References => "referenced",
            Self::ReferencedBy => "references it",
            Self::Part => "a part of it",
            Self::Mentions => "named or names it",
            Self::Input => "an input of what is reconciled",
            Self::Ends | Self::Namespace => "the namespace",
            Self::Reconciled => "the writer is at it",
            Self::DealtWith => "the writer's last",
        }
    }

    pub(super) fn evidence(self) -> Evidence {
        match self {
            Self::Restores | Self::Itself => Evidence::Identity,
            Self::Owns(_) | Self::Manages | Self::Part | Self::Ends => Evidence::Ownership,
            Self::References | Self::ReferencedBy | Self::Mentions | Self::Input | Self::Namespace => {
                Evidence::Reference
            }
            Self::Reconciled | Self::DealtWith => Evidence::Timing,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
