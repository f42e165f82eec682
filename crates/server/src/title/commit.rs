//! What a fetched revision changed: `commit 3a134df on main deployed web 1 → 2 in shop`.

use clew_weave::fact::Revision;
use clew_weave::{FieldDiff, Journey, JourneyObject};

/// What a revision did to the objects that were applied because of it.
pub(super) fn sentence(journey: &Journey, revision: &Revision) -> String {
    let what = if revision.is_commit() { "commit" } else { "revision" };
    let on = revision.name().map(|name| format!(" on {}", name.trim_start_matches("refs/heads/"))).unwrap_or_default();
    let deed = deed(journey).unwrap_or_else(|| "was fetched and changed nothing".to_owned());
    format!("{what} {}{on} {deed}", revision.short())
}

fn deed(journey: &Journey) -> Option<String> {
    let mut images = journey.diff.iter().filter_map(image);
    if let Some((name, namespace, before, after)) = images.next() {
        let more = images.count();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        return Some(format!("deployed {name} {before} → {after} in {namespace}{more}"));
    }
    // The root is what fetched the revision; what was applied stands beside it.
    let root = &journey.root;
    let is_root = |object: &JourneyObject| object.name == root.name && object.namespace == root.namespace;
    let mut applied = journey.objects.iter().filter(|object| !is_root(object));
    let first = applied.next()?;
    let more = applied.count();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let slash = if first.namespace.is_empty() { "" } else { "/" };
    Some(format!("changed {} {}{slash}{}{more}", first.kind, first.namespace, first.name))
}

/// The name and namespace of a workload, and the tags of its image before and after.
fn image(field: &FieldDiff) -> Option<(&str, &str, &str, &str)> {
    let (label, path) = field.path.rsplit_once(' ')?;
    path.strip_suffix(".image")?;
    let (namespace, name) = label.rsplit_once(' ')?.1.split_once('/')?;
    let (before, after) = (field.before.as_deref()?, field.after.as_deref()?);
    Some((name, namespace, tag(before), tag(after)))
}

/// What stands behind an image's name: `2` of `registry:5000/shop/web:2`.
fn tag(image: &str) -> &str {
    let name = image.rfind('/').map_or(0, |slash| slash + 1);
    image[name..].rsplit_once(':').map_or(image, |(_, tag)| tag)
}
