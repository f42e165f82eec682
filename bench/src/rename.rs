//! New names and ids for a copy: the same for the same copy, and no two copies share one.

use clew_model::TraceId;
use clew_weave::fact::Uid;
use compact_str::{CompactString, format_compact};

/// The namespace that is copied.
pub(crate) const NAMESPACE: &str = "shop";
/// What the names in it begin with.
pub(crate) const NAME: &str = "web";
/// Who asks for changes in it.
pub(crate) const USER: &str = "alice@example.com";
/// People and pipelines that share the work.
const USERS: u32 = 500;

/// The copy's namespace.
pub(crate) fn namespace(copy: u32) -> CompactString {
    format_compact!("{NAMESPACE}-{copy:05}")
}

/// A name in a copy; names that Kubernetes gives in every namespace stay.
pub(crate) fn name(name: &str, copy: u32) -> CompactString {
    if name == NAMESPACE {
        return namespace(copy);
    }
    if let Some(rest) = name.strip_prefix(NAME).filter(|rest| rest.is_empty() || rest.starts_with('-')) {
        return format_compact!("{NAME}-{copy:05}{rest}");
    }
    if name.starts_with("10.") {
        return format_compact!("10.{}.{}.{}", 64 + (copy >> 16), copy >> 8 & 255, copy & 255);
    }
    name.into()
}

/// Who asks for the changes of a copy.
pub(crate) fn user(user: &str, copy: u32) -> CompactString {
    if user == USER { format_compact!("user{:03}@example.com", copy % USERS) } else { user.into() }
}

/// An id in a copy.
pub(crate) fn uid(uid: &Uid, copy: u32) -> Uid {
    match uid {
        Uid::Uuid(id) => Uid::Uuid(wide(*id, copy)),
        Uid::Other(text) if text.is_empty() => uid.clone(),
        Uid::Other(text) => Uid::new(&format!("{text}-{copy}")),
    }
}

/// A trace id in a copy.
pub(crate) fn trace(trace: TraceId, copy: u32) -> TraceId {
    TraceId::from_bytes(wide(u128::from_be_bytes(trace.to_bytes()), copy).to_be_bytes())
}

fn wide(id: u128, copy: u32) -> u128 {
    let halves = id.to_be_bytes();
    let (high, low) = halves.split_at(8);
    let half = |bytes: &[u8]| u64::from_be_bytes(bytes.try_into().unwrap_or_default());
    u128::from(mix(half(high), copy)) << 64 | u128::from(mix(half(low), copy))
}

/// A bijection for each copy, so that what was different stays different.
fn mix(half: u64, copy: u32) -> u64 {
    let mut mixed = half ^ u64::from(copy).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_belongs_to_the_deployment_gets_a_new_name() {
        assert_eq!(name("web", 7), "web-00007");
        assert_eq!(name("web-784dfb5558-xrjgx", 7), "web-00007-784dfb5558-xrjgx");
        assert_eq!(name("website", 7), "website");
        assert_eq!(name("default", 7), "default");
        assert_eq!(name("shop", 7), "shop-00007");
        assert_eq!(name("10.0.0.97", 258), "10.64.1.2");
    }

    #[test]
    fn copies_share_no_ids() {
        let id = Uid::new("0cbc8454-abfe-4a93-9c8c-c78b879e1fc4");
        assert_ne!(uid(&id, 1), uid(&id, 2));
        assert_eq!(uid(&id, 1), uid(&id, 1));
        assert!(uid(&Uid::default(), 3).is_empty());
    }
}
