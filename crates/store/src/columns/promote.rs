//! Which attributes fill the columns that people search by.

use clew_model::{Attributes, Value};

/// The keys of a span's attributes that fill each column, the strongest first. Beside them, `k8s.<kind>.name` and
/// `k8s.<kind>.uid` fill `object_kind`, `object_name` and `object_uid`, except for clusters and containers, which are no objects.
pub const PROMOTED_KEYS: &[(&str, &[&str])] = &[
    ("cluster", &["k8s.cluster.name"]),
    ("namespace", &["k8s.namespace.name", "namespace"]),
    ("object_kind", &["k8s.resource", "resource"]),
    ("object_name", &["name"]),
    ("node", &["k8s.node.name", "host.name"]),
    ("user_name", &["user.name", "enduser.id"]),
    ("user_agent", &["user_agent.original", "user-agent"]),
    ("verb", &["clew.effect", "verb", "http.request.method", "http.method"]),
];

/// What a span's attributes say about the columns that people search by. Texts are borrowed from the span.
#[derive(Debug, Default, Clone, Copy)]
pub struct Promoted<'a> {
    /// The cluster.
    pub cluster: Option<&'a str>,
    /// The namespace of the object.
    pub namespace: Option<&'a str>,
    /// The object's kind in lower case, or its resource.
    pub kind: Option<&'a str>,
    /// The object's name.
    pub name: Option<&'a str>,
    /// The object's UID.
    pub uid: Option<&'a str>,
    /// The node.
    pub node: Option<&'a str>,
    /// Who asked.
    pub user: Option<&'a str>,
    /// With what.
    pub agent: Option<&'a str>,
    /// What was asked.
    pub verb: Option<&'a str>,
    /// How strong each of them is: the place of its key plus one; zero where nothing was said.
    ranks: [u8; 8],
    /// Whether clew made the span of a request or of a journey, whose name begins with the verb.
    named_by_verb: bool,
}

const NAMED_KIND: u8 = 1;
const CLUSTER: usize = 0;
const NAMESPACE: usize = 1;
const KIND: usize = 2;
const NAME: usize = 3;
const NODE: usize = 4;
const USER: usize = 5;
const AGENT: usize = 6;
const VERB: usize = 7;

impl<'a> Promoted<'a> {
    /// Takes one attribute of the span into account.
    pub fn see(&mut self, key: &'a str, text: &'a str) {
        if text.is_empty() {
            return;
        }
        if let Some(rest) = key.strip_prefix("k8s.") {
            self.see_object(rest, text);
        }
        let (slot, rank, column) = match key {
            "k8s.cluster.name" => (CLUSTER, 1, &mut self.cluster),
            "k8s.namespace.name" => (NAMESPACE, 1, &mut self.namespace),
            "namespace" => (NAMESPACE, 2, &mut self.namespace),
            "k8s.resource" => (KIND, 2, &mut self.kind),
            "resource" => (KIND, 3, &mut self.kind),
            "name" => (NAME, 2, &mut self.name),
            "k8s.node.name" => (NODE, 1, &mut self.node),
            "host.name" => (NODE, 2, &mut self.node),
            "user.name" => (USER, 1, &mut self.user),
            "enduser.id" => (USER, 2, &mut self.user),
            "user_agent.original" => (AGENT, 1, &mut self.agent),
            "user-agent" => (AGENT, 2, &mut self.agent),
            "clew.effect" => (VERB, 1, &mut self.verb),
            "verb" => (VERB, 2, &mut self.verb),
            "http.request.method" => (VERB, 3, &mut self.verb),
            "http.method" => (VERB, 4, &mut self.verb),
            "clew.kind" => {
                self.named_by_verb = matches!(text, "request" | "journey");
                return;
            }
            _ => return,
        };
        let old = &mut self.ranks[slot];
        if *old == 0 || rank < *old {
            *old = rank;
            *column = Some(text);
        }
    }

    /// `<kind>.name` and `<kind>.uid`; the first kind that is named is the object's.
    fn see_object(&mut self, rest: &'a str, text: &'a str) {
        let (kind, is_name) = match rest.rsplit_once('.') {
            Some((kind, "name")) => (kind, true),
            Some((kind, "uid")) => (kind, false),
            _ => return,
        };
        // Every span has a namespace and a node that it happened in; only a UID says that one of them is the object.
        let is_place = matches!(kind, "namespace" | "node");
        if kind.contains('.') || matches!(kind, "cluster" | "container") || (is_place && is_name) {
            return;
        }
        if self.ranks[KIND] == NAMED_KIND && self.kind != Some(kind) {
            return;
        }
        self.ranks[KIND] = NAMED_KIND;
        self.kind = Some(kind);
        if is_name {
            self.ranks[NAME] = 1;
            self.name = Some(text);
        } else {
            self.uid = Some(text);
        }
    }

    /// What all of the attributes say.
    pub fn of(attributes: &'a Attributes) -> Self {
        let mut promoted = Self::default();
        for (key, value) in attributes {
            if let Value::Str(text) = value {
                promoted.see(key, text);
            }
        }
        promoted
    }

    /// Adds what follows from the span's name, once all attributes were seen.
    pub(crate) fn complete(&mut self, span_name: &'a str) {
        if self.named_by_verb {
            self.verb = span_name.split(' ').next();
        }
        self.verb = self.verb.and_then(verb_word);
        if self.name.is_none() && matches!(self.kind, Some("node")) {
            self.name = self.node;
        }
        if self.name.is_none() && matches!(self.kind, Some("namespace")) {
            self.name = self.namespace;
        }
    }
}

/// The verb for an HTTP method; what is neither a verb nor a method is none.
fn verb_word(text: &str) -> Option<&str> {
    Some(match text {
        "POST" => "create",
        "PUT" => "update",
        "PATCH" | "APPLY" => "patch",
        "DELETE" => "delete",
        "GET" => "get",
        "LIST" => "list",
        "WATCH" => "watch",
        "change" => return None,
        word if word.bytes().all(|byte| byte.is_ascii_lowercase()) => word,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promoted<'a>(pairs: &[(&'a str, &'a str)], name: &'a str) -> Promoted<'a> {
        let mut promoted = Promoted::default();
        for (key, text) in pairs {
            promoted.see(key, text);
        }
        promoted.complete(name);
        promoted
    }

    #[test]
    fn a_request_that_clew_saw_tells_all() {
        let pairs = [
            ("clew.kind", "request"),
            ("user.name", "alice"),
            ("user_agent.original", "kubectl/v1.34"),
            ("k8s.namespace.name", "shop"),
            ("k8s.resource", "deployments"),
            ("k8s.deployment.name", "web"),
            ("k8s.deployment.uid", "u1"),
        ];
        let seen = promoted(&pairs, "patch deployments");
        assert_eq!((seen.kind, seen.name, seen.uid), (Some("deployment"), Some("web"), Some("u1")));
        assert_eq!((seen.verb, seen.user, seen.agent), (Some("patch"), Some("alice"), Some("kubectl/v1.34")));
        assert_eq!(seen.namespace, Some("shop"));
    }

    #[test]
    fn the_api_servers_own_words_are_understood() {
        let pairs =
            [("verb", "POST"), ("resource", "pods"), ("namespace", "shop"), ("name", ""), ("http.method", "GET")];
        let seen = promoted(&pairs, "Create");
        assert_eq!(
            (seen.verb, seen.kind, seen.namespace, seen.name),
            (Some("create"), Some("pods"), Some("shop"), None)
        );
    }

    #[test]
    fn a_node_is_an_object_only_with_its_uid() {
        let place = promoted(&[("k8s.pod.name", "web-1"), ("k8s.node.name", "n2")], "syncPod");
        assert_eq!((place.kind, place.name, place.node), (Some("pod"), Some("web-1"), Some("n2")));
        let object = promoted(&[("k8s.node.name", "n2"), ("k8s.node.uid", "u")], "node n2");
        assert_eq!((object.kind, object.name, object.uid), (Some("node"), Some("n2"), Some("u")));
    }

    #[test]
    fn the_order_of_attributes_does_not_matter() {
        let one = promoted(&[("k8s.resource", "pods"), ("k8s.pod.name", "a"), ("k8s.pod.uid", "u")], "");
        let two = promoted(&[("k8s.pod.uid", "u"), ("k8s.pod.name", "a"), ("k8s.resource", "pods")], "");
        assert_eq!((one.kind, one.name, one.uid), (two.kind, two.name, two.uid));
    }

    #[test]
    fn the_table_says_what_the_code_does() {
        for (column, keys) in PROMOTED_KEYS {
            for key in *keys {
                let text = if *column == "verb" { "create" } else { "x" };
                let seen = promoted(&[(key, text)], "");
                let found = match *column {
                    "cluster" => seen.cluster,
                    "namespace" => seen.namespace,
                    "object_kind" => seen.kind,
                    "object_name" => seen.name,
                    "node" => seen.node,
                    "user_name" => seen.user,
                    "user_agent" => seen.agent,
                    _ => seen.verb,
                };
                assert_eq!(found, Some(text), "{column} from {key}");
            }
        }
    }
}
