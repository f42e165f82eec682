//! From a document to typed fields, with the errors that Kubernetes' strict decoder gives.

use super::document::{Document, Node};

/// Which kinds and versions a configuration file may have.
pub(super) struct Registered {
    pub(super) kinds: &'static [&'static str],
    pub(super) versions: &'static [&'static str],
    /// A file without kind and version is taken for the first of each (as `DecodeInto` does), or refused.
    pub(super) kind_optional: bool,
}

/// The kind that the document says it is, checked against the registered ones.
pub(super) fn kind(document: &Document, registered: &Registered) -> Result<String, String> {
    let version = identity(&document.root, "apiVersion")?;
    let kind = identity(&document.root, "kind")?;
    if version.matches('/').count() > 1 {
        return Err(format!("unexpected GroupVersion string: {version}"));
    }
    if kind.is_empty() && !registered.kind_optional {
        return Err("Object 'Kind' is missing in ''".to_owned());
    }
    let first = registered.kinds.first().copied().unwrap_or_default();
    let kind = if kind.is_empty() { first.to_owned() } else { kind };
    let known_version =
        version.is_empty() && registered.kind_optional || registered.versions.contains(&version.as_str());
    if known_version && registered.kinds.contains(&kind.as_str()) {
        return Ok(kind);
    }
    Err(format!("no kind {kind:?} is registered for version {version:?} in scheme \"pkg/runtime/scheme.go:110\""))
}

fn identity(root: &Node, field: &str) -> Result<String, String> {
    let entries = match root {
        Node::Null => return Ok(String::new()),
        Node::Map(entries) => entries,
        other => {
            return Err(format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type struct \
                 {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}",
                other.go_kind()
            ));
        }
    };
    match entries.iter().find(|(key, _)| key == field).map(|(_, value)| value) {
        None | Some(Node::Null) => Ok(String::new()),
        Some(Node::Text(text)) => Ok(text.clone()),
        Some(other) => Err(format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go struct field .{field} of type string",
            other.go_kind()
        )),
    }
}

/// One object of a document while its fields are taken out; what remains is unknown.
pub(super) struct Fields<'a> {
    entries: Vec<(&'a str, &'a Node)>,
    type_name: &'static str,
    path: String,
}

impl<'a> Fields<'a> {
    /// The fields of an object; `type_name` is the Go struct that its errors name.
    pub(super) fn of(node: &'a Node, type_name: &'static str, path: String) -> Result<Self, String> {
        let entries = match node {
            Node::Null => Vec::new(),
            Node::Map(entries) => entries.iter().map(|(key, value)| (key.as_str(), value)).collect(),
            other => {
                return Err(format!(
                    "json: cannot unmarshal {} into Go struct field {type_name}.{path} of type {type_name}",
                    other.go_kind()
                ));
            }
        };
        Ok(Self { entries, type_name, path })
    }

    /// Takes a field; the last one wins when it is given twice, as in Go.
    pub(super) fn take(&mut self, name: &str) -> Option<&'a Node> {
        let mut found = None;
        self.entries.retain(|(key, value)| {
            let matches = *key == name;
            if matches {
                found = Some(*value);
            }
            !matches
        });
        found.filter(|node| **node != Node::Null)
    }

    /// Takes a text field.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Text(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.mismatch(name, other.go_kind(), "string")),
        }
    }

    /// Takes a field of Go type `int32`.
    pub(super) fn int32(&mut self, name: &str) -> Result<Option<i32>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Number(number)) => match number.parse() {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(self.mismatch(name, &format!("number {number}"), "int32")),
            },
            Some(other) => Err(self.mismatch(name, other.go_kind(), "int32")),
        }
    }

    /// The path of a field of this object, as strict errors name it.
    pub(super) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Complains about every field that nobody took.
    pub(super) fn finish(self, strict: &mut Vec<String>) {
        for (key, _) in &self.entries {
            strict.push(format!("unknown field {:?}", self.path_of(key)));
        }
    }

    fn mismatch(&self, field: &str, got: &str, wanted: &str) -> String {
        format!("json: cannot unmarshal {got} into Go struct field {}.{field} of type {wanted}", self.type_name)
    }
}

/// One error out of all strict complaints, in Kubernetes' form: duplicates first, then unknown fields by name.
pub(super) fn strict_error(duplicates: &[String], mut unknown: Vec<String>) -> Result<(), String> {
    unknown.sort();
    unknown.dedup();
    let all: Vec<String> = duplicates.iter().cloned().chain(unknown).collect();
    if all.is_empty() {
        return Ok(());
    }
    Err(format!("strict decoding error: {}", all.join(", ")))
}
