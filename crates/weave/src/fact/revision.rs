//! What a controller fetched from outside the cluster: the cause of a `GitOps` change.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// How many digits of a hash tell it from others.
const SHORT: usize = 7;

/// A revision that a controller fetched: a Git commit, the digest of an OCI artifact or a bucket, a chart's version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Revision {
    /// As the controller writes it: `main@sha1:3a134df…`, `3a134df…`, `6.1.0`.
    pub id: CompactString,
    /// The repository's address, without credentials; empty where it is not known.
    pub repository: CompactString,
}

impl Revision {
    /// The branch or the tag; none where the revision is a bare hash.
    pub fn name(&self) -> Option<&str> {
        let (name, _) = self.id.split_once('@')?;
        (!name.is_empty()).then_some(name)
    }

    /// The hash of the commit or the artifact, or the version.
    pub fn hash(&self) -> &str {
        let after = self.id.split_once('@').map_or(self.id.as_str(), |(_, after)| after);
        after.rsplit_once(':').map_or(after, |(_, hash)| hash)
    }

    /// The hash as people write it.
    pub fn short(&self) -> &str {
        let hash = self.hash();
        if self.is_unique() { &hash[..SHORT] } else { hash }
    }

    /// Whether no two revisions are called so: it is a hash, and no version.
    pub fn is_unique(&self) -> bool {
        let hash = self.hash();
        hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// What tells it from the revisions of other repositories, which may be copies.
    pub(crate) fn key(&self) -> u64 {
        crate::mention(&format!("{} {}", self.id, self.repository))
    }

    /// Whether it is a commit, by the length of its hash.
    pub fn is_commit(&self) -> bool {
        self.is_unique() && !self.id.contains("sha256:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_read_as_flux_and_argo_cd_write_it() {
        let sha = "3a134dfe1b0c9a8877665544332211009988aabb";
        for (id, name, short, commit) in [
            (format!("main@sha1:{sha}"), Some("main"), "3a134df", true),
            (format!("refs/heads/main@sha1:{sha}"), Some("refs/heads/main"), "3a134df", true),
            (sha.to_owned(), None, "3a134df", true),
            (format!("latest@sha256:{sha}{}", &sha[..24]), Some("latest"), "3a134df", false),
            ("6.1.0".to_owned(), None, "6.1.0", false),
            (String::new(), None, "", false),
        ] {
            let revision = Revision { id: id.as_str().into(), ..Revision::default() };
            assert_eq!((revision.name(), revision.short(), revision.is_commit()), (name, short, commit), "{id}");
        }
    }
}
