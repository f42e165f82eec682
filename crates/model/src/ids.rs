//! Ids that clew makes: hashes, never random (invariant 2).
//!
//! The same facts give the same ids on every shard and after every restart, so delivery at least once is stored
//! exactly once. Parts are length-prefixed and every kind of id has its own domain, so that neither
//! `("ab", "c")` and `("a", "bc")` nor a write and an event can meet. The golden values in the tests must never
//! change: ids that are stored or written to annotations would lose what they name.

use crate::{CommandId, SpanId, TraceId};

/// What tells one change of an object from the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKey<'a> {
    /// The generation that the change gave the object.
    Generation(i64),
    /// The resourceVersion, for objects without a generation (ConfigMaps, annotations alone).
    Version(&'a str),
    /// The object's deletion, of which there is only one.
    Delete,
}

/// The trace id of the journey that a change of an object started.
///
/// ```
/// use clew_model::ids::{self, ChangeKey};
///
/// let first = ids::journey("prod", "1b4e28ba", ChangeKey::Generation(1));
/// assert_eq!(first, ids::journey("prod", "1b4e28ba", ChangeKey::Generation(1)));
/// assert_ne!(first, ids::journey("prod", "1b4e28ba", ChangeKey::Generation(2)));
/// ```
pub fn journey(cluster: &str, uid: &str, change: ChangeKey<'_>) -> TraceId {
    let hasher = Parts::new("journey").text(cluster).text(uid);
    let hasher = match change {
        ChangeKey::Generation(generation) => hasher.text("generation").number(generation.cast_unsigned()),
        ChangeKey::Version(version) => hasher.text("version").text(version),
        ChangeKey::Delete => hasher.text("delete"),
    };
    TraceId::from_bytes(hasher.finish())
}

/// The span id of a write, from its audit id.
pub fn write_span(audit_id: &str) -> SpanId {
    SpanId::from_bytes(Parts::new("write").text(audit_id).finish())
}

/// The span id of an object's part in a journey.
pub fn object_span(journey: TraceId, uid: &str) -> SpanId {
    SpanId::from_bytes(Parts::new("object").bytes(&journey.to_bytes()).text(uid).finish())
}

/// The span id of a Kubernetes event, from its UID and count.
pub fn event_span(uid: &str, count: u64) -> SpanId {
    SpanId::from_bytes(Parts::new("event").text(uid).number(count).finish())
}

/// The span id of what clew derives below another span: a phase, a gap.
///
/// `ordinal` tells apart several of one name below one parent.
pub fn derived_span(parent: SpanId, name: &str, ordinal: u64) -> SpanId {
    SpanId::from_bytes(Parts::new("derived").bytes(&parent.to_bytes()).text(name).number(ordinal).finish())
}

/// The id of a command, from who ran it and the first write that it made.
pub fn command(user: &str, agent: &str, address: &str, first_audit_id: &str) -> CommandId {
    let parts = Parts::new("command").text(user).text(agent).text(address).text(first_audit_id);
    CommandId::from_bytes(parts.finish())
}

/// Parts that cannot run into one another, gathered so that they are hashed in one go.
struct Parts(Vec<u8>);

impl Parts {
    fn new(domain: &str) -> Self {
        // Room for a journey's parts with names of the usual length.
        Self(Vec::with_capacity(192)).text("clew/ids/v1").text(domain)
    }

    fn bytes(mut self, part: &[u8]) -> Self {
        self.0.extend_from_slice(&(part.len() as u64).to_le_bytes());
        self.0.extend_from_slice(part);
        self
    }

    fn text(self, part: &str) -> Self {
        self.bytes(part.as_bytes())
    }

    fn number(self, part: u64) -> Self {
        self.bytes(&part.to_le_bytes())
    }

    /// The first bytes of the hash; never all zero, since zero names nothing.
    fn finish<const N: usize>(&self) -> [u8; N] {
        let mut id = [0; N];
        for (byte, hashed) in id.iter_mut().zip(blake3::hash(&self.0).as_bytes()) {
            *byte = *hashed;
        }
        never_zero(id)
    }
}

fn never_zero<const N: usize>(mut id: [u8; N]) -> [u8; N] {
    if id.iter().all(|byte| *byte == 0) {
        id[N - 1] = 1;
    }
    id
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ids_never_change() {
        let journey_id = journey("prod", "uid-1", ChangeKey::Generation(7));
        let golden = [
            journey_id.to_string(),
            journey("prod", "uid-1", ChangeKey::Version("7")).to_string(),
            journey("prod", "uid-1", ChangeKey::Delete).to_string(),
            write_span("audit-1").to_string(),
            object_span(journey_id, "uid-1").to_string(),
            event_span("uid-1", 3).to_string(),
            derived_span(write_span("audit-1"), "image pull", 0).to_string(),
            command("alice", "kubectl", "10.0.0.1", "audit-1").to_string(),
        ];
        assert_eq!(
            golden,
            [
                "60ac8117914bd625f43808a142937cb6",
                "0af15eccf7525c0a1985c9e12a3a751d",
                "a26e628aad1048f934fd46546192d4a3",
                "3952eb2afeb476fe",
                "10e359575c74a972",
                "531e14028e0fa2a1",
                "f678139c4bca84a7",
                "aff9121e1f01fa6a",
            ]
        );
    }

    #[test]
    fn parts_do_not_run_into_one_another() {
        let split = journey("ab", "c", ChangeKey::Delete);
        assert_ne!(split, journey("a", "bc", ChangeKey::Delete));
        assert_ne!(split, journey("", "abc", ChangeKey::Delete));
    }

    #[test]
    fn each_kind_of_id_has_its_own_domain() {
        let parent = SpanId::from_bytes([1; 8]);
        let ids = [write_span("x"), event_span("x", 0), derived_span(parent, "x", 0)];
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    }

    #[test]
    fn a_generation_is_no_version() {
        let version = journey("c", "u", ChangeKey::Version("1"));
        assert_ne!(version, journey("c", "u", ChangeKey::Generation(1)));
    }

    #[test]
    fn an_id_is_never_zero() {
        assert_eq!(never_zero([0; 8]), [0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(never_zero([2; 8]), [2; 8]);
    }

    proptest! {
        #[test]
        fn different_changes_have_different_journeys(a: i64, b: i64) {
            prop_assume!(a != b);
            let (a, b) = (ChangeKey::Generation(a), ChangeKey::Generation(b));
            prop_assert_ne!(journey("c", "u", a), journey("c", "u", b));
        }
    }
}
