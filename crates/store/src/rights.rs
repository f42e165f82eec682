//! What one must be allowed to read to see a journey, and what somebody is allowed to.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::str::FromStr;

use clew_weave::{Journey, JourneyObject};
use compact_str::CompactString;

/// To read the objects of one kind in one namespace: what Kubernetes gives rights to. Written `shop/Deployment`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Right {
    /// The namespace; empty for what lives in none. A Namespace itself lives in the namespace that it is.
    pub namespace: CompactString,
    /// The kind, or the resource where no source told the kind.
    pub kind: CompactString,
}

impl Right {
    /// The rights without which a journey is not shown: one for each kind and namespace of its objects.
    pub fn needed(journey: &Journey) -> BTreeSet<Self> {
        let root = &journey.root;
        let is_root = |object: &&JourneyObject| object.name == root.name && object.namespace == root.namespace;
        let mut needed: BTreeSet<Self> = journey.objects.iter().map(Self::of).collect();
        needed.extend(journey.waiting_on.as_ref().map(|waiting| Self::of(&waiting.object)));
        // A root of which no source told more than its request is an object, too.
        if !journey.objects.iter().any(|object| is_root(&object)) {
            needed.insert(Self::to(&root.namespace, &root.resource, &root.name));
        }
        Self::without_addresses(&mut needed);
        needed
    }

    /// An `IPAddress` lives in no namespace, and says nothing but which Service has it, which the Service says itself.
    fn without_addresses(needed: &mut BTreeSet<Self>) {
        if needed.iter().any(|right| matches!(right.kind.as_str(), "Service" | "services")) {
            needed.retain(|right| !matches!(right.kind.as_str(), "IPAddress" | "ipaddresses"));
        }
    }

    /// Whether it is about a Namespace itself.
    pub fn is_of_namespace(&self) -> bool {
        matches!(self.kind.as_str(), "Namespace" | "namespaces")
    }

    fn of(object: &JourneyObject) -> Self {
        Self::to(&object.namespace, &object.kind, &object.name)
    }

    fn to(namespace: &CompactString, kind: &CompactString, name: &CompactString) -> Self {
        let right = Self { namespace: namespace.clone(), kind: kind.clone() };
        if right.is_of_namespace() { Self { namespace: name.clone(), ..right } } else { right }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.kind)
    }
}

impl FromStr for Right {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (namespace, kind) = text.split_once('/').ok_or(())?;
        Ok(Self { namespace: namespace.into(), kind: kind.into() })
    }
}

/// The rights that somebody has in one cluster; in every other they have none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rights {
    /// The cluster.
    pub cluster: CompactString,
    /// Whether they may read everything there.
    pub everything: bool,
    /// What they may read, as it is written.
    pub held: HashSet<CompactString>,
}

impl Rights {
    /// Whether somebody with these rights may see a journey of this cluster that needs those: all of them are held.
    pub fn suffice<'a>(&self, cluster: &str, needed: impl IntoIterator<Item = &'a str>) -> bool {
        if cluster != self.cluster {
            return false;
        }
        let mut needed = needed.into_iter().peekable();
        // A journey that says of nothing that it holds it may hold anything.
        self.everything || needed.peek().is_some() && needed.all(|right| self.held.contains(right))
    }

    /// Whether somebody with these rights may see the journey.
    pub fn show(&self, cluster: &str, journey: &Journey) -> bool {
        let needed: Vec<String> = Right::needed(journey).iter().map(ToString::to_string).collect();
        self.suffice(cluster, needed.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights(held: &[&str]) -> Rights {
        Rights {
            cluster: "lab".into(),
            everything: false,
            held: held.iter().copied().map(CompactString::from).collect(),
        }
    }

    #[test]
    fn every_right_must_be_held_in_this_cluster() {
        let some = rights(&["shop/Pod", "shop/Deployment"]);
        assert!(some.suffice("lab", ["shop/Pod"]));
        assert!(some.suffice("lab", ["shop/Pod", "shop/Deployment"]));
        assert!(!some.suffice("lab", ["shop/Pod", "shop/Secret"]));
        assert!(!some.suffice("lab", ["shop/Pod", "store/Pod"]), "a journey through two namespaces needs both");
        assert!(!some.suffice("lab", ["/Pod"]), "what lives in no namespace is a right of its own");
        assert!(!some.suffice("other", ["shop/Pod"]));
    }

    #[test]
    fn what_needs_nothing_is_shown_to_nobody_but_those_who_may_read_everything() {
        assert!(!rights(&["shop/Pod"]).suffice("lab", []));
        let all = Rights { everything: true, ..rights(&[]) };
        assert!(all.suffice("lab", []) && all.suffice("lab", ["a/B"]));
        assert!(!all.suffice("other", ["a/B"]), "everything of one cluster is nothing of another");
    }

    #[test]
    fn an_address_is_its_services_and_without_one_a_right_of_its_own() {
        let needs = |rights: &[&str]| {
            let mut needed = rights.iter().map(|right| right.parse().expect("a right")).collect();
            Right::without_addresses(&mut needed);
            needed.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(needs(&["/IPAddress", "shop/Service"]), ["shop/Service"]);
        assert_eq!(needs(&["/ipaddresses", "/Node", "shop/services"]), ["/Node", "shop/services"]);
        assert_eq!(needs(&["/IPAddress", "shop/Pod"]), ["/IPAddress", "shop/Pod"]);
    }

    #[test]
    fn a_namespace_lives_in_itself() {
        let (none, name): (CompactString, CompactString) = ("".into(), "shop".into());
        assert_eq!(Right::to(&none, &"Namespace".into(), &name).to_string(), "shop/Namespace");
        assert_eq!(Right::to(&none, &"namespaces".into(), &name).to_string(), "shop/namespaces");
        assert_eq!(Right::to(&none, &"Node".into(), &name).to_string(), "/Node");
        assert_eq!("/Node".parse(), Ok(Right { namespace: "".into(), kind: "Node".into() }));
    }
}
