//! What Kelemetry's users have on their objects already.

use compact_str::CompactString;
use serde::Deserialize;

use crate::{Error, ObjectRef, Result};

/// The annotation that names an object's parent: JSON with `cluster`, `group`, `version`, `resource`,
/// `namespace`, `name` and `uid`.
pub const PARENT_LINK: &str = "kelemetry.kubewharf.io/parent-link";

/// The label (Kelemetry's own form) or annotation that says that an object's values must not be kept.
pub const DIFF_REDACTED: &str = "kelemetry.kubewharf.io/diff-redacted";

const MAX_VALUE: usize = 8 * 1024;

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct ParentLink {
    cluster: CompactString,
    group: CompactString,
    version: CompactString,
    resource: CompactString,
    namespace: CompactString,
    name: CompactString,
    uid: CompactString,
}

/// The object that a parent link names; the cluster is `own_cluster` where the link names none.
///
/// ```
/// use clew_model::annotation::parent_link;
///
/// let link = r#"{"group":"apps","version":"v1","resource":"deployments","namespace":"shop","name":"web","uid":"1"}"#;
/// let parent = parent_link(link, "prod")?;
/// assert_eq!(parent.to_string(), "deployments shop/web");
/// assert_eq!(parent.cluster, "prod");
/// # Ok::<(), clew_model::Error>(())
/// ```
pub fn parent_link(text: &str, own_cluster: &str) -> Result<ObjectRef> {
    let wrong = |reason| Error::Annotation { key: CompactString::const_new(PARENT_LINK), reason };
    if text.len() > MAX_VALUE {
        return Err(wrong("it is longer than 8 KiB"));
    }
    let link: ParentLink =
        serde_json::from_str(text).map_err(|_| wrong("expected a JSON object with resource and name"))?;
    if link.resource.is_empty() || link.name.is_empty() {
        return Err(wrong("it names no resource or no name"));
    }
    let cluster = if link.cluster.is_empty() { own_cluster.into() } else { link.cluster };
    Ok(ObjectRef {
        cluster,
        group: link.group,
        version: link.version,
        kind: CompactString::default(),
        resource: link.resource,
        namespace: link.namespace,
        name: link.name,
        uid: link.uid,
    })
}

/// Whether the object's values must not be kept; the mark counts whatever its value.
///
/// `get` looks a key up, and is called for the labels or the annotations: Kelemetry sets the mark as a label.
pub fn is_redacted<T>(get: impl Fn(&str) -> Option<T>) -> bool {
    get(DIFF_REDACTED).is_some()
}
