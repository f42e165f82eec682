//! A YAML or JSON document as a tree that remembers duplicate keys.

use super::scalar;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt::{self, Write as _};

/// The largest configuration that is read, so that no file can exhaust memory.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting that is followed.
const MAX_DEPTH: usize = 64;
/// The most values of a document, aliases expanded.
const MAX_NODES: usize = 100_000;

/// One value of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// What Go's JSON decoder calls this value.
    pub(super) fn go_kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "bool",
            Node::Number(_) => "number",
            Node::Text(_) => "string",
            Node::List(_) => "array",
            Node::Map(_) => "object",
        }
    }
}

/// A parsed document and the complaints of a strict reader about its keys.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) root: Node,
    pub(super) duplicates: Vec<String>,
}

/// Parses JSON when the text starts like JSON, YAML otherwise, as Kubernetes does.
pub(super) fn parse(text: &str) -> Result<Document, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the document has {} bytes, at most {MAX_BYTES} are read", text.len()));
    }
    if text.trim_start().starts_with('{') {
        return parse_json(text);
    }
    parse_yaml(text)
}

fn parse_json(text: &str) -> Result<Document, String> {
    let root: Node = serde_json::from_str(text).map_err(|error| {
        let reason = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() };
        format!("couldn't get version/kind; json parse error: {reason}")
    })?;
    let mut duplicates = Vec::new();
    collect_json_duplicates(&root, &mut String::new(), &mut duplicates);
    Ok(Document { root, duplicates })
}

fn collect_json_duplicates(node: &Node, path: &mut String, found: &mut Vec<String>) {
    let kept = path.len();
    match node {
        Node::Map(entries) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                if entries[..index].iter().any(|(earlier, _)| earlier == key) {
                    found.push(format!("duplicate field {path:?}"));
                }
                collect_json_duplicates(value, path, found);
                path.truncate(kept);
            }
        }
        Node::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let _ = write!(path, "[{index}]");
                collect_json_duplicates(item, path, found);
                path.truncate(kept);
            }
        }
        _ => {}
    }
}

fn parse_yaml(text: &str) -> Result<Document, String> {
    let mut reader =
        YamlReader { events: Parser::new_from_str(text), anchors: HashMap::new(), duplicates: Vec::new(), nodes: 0 };
    let root = reader.document()?;
    if reader.duplicates.is_empty() {
        return Ok(Document { root, duplicates: Vec::new() });
    }
    // Go's YAML library reports all of a document's duplicate keys as one error.
    let all = format!("yaml: unmarshal errors:\n{}", reader.duplicates.join("\n"));
    Ok(Document { root, duplicates: vec![all] })
}

struct YamlReader<'a> {
    events: Parser<'a, saphyr_parser::StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    duplicates: Vec<String>,
    nodes: usize,
}

impl<'a> YamlReader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, usize), String> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start.line())),
            Some(Err(error)) => Err(format!("yaml: {}", error.info())),
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    /// The first document; Kubernetes ignores what follows it.
    fn document(&mut self) -> Result<Node, String> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(Node::Null),
                (Event::DocumentStart(_), _) => {
                    let (event, _) = self.next()?;
                    return self.node(event, 0);
                }
                _ => {}
            }
        }
    }

    fn node(&mut self, event: Event<'a>, depth: usize) -> Result<Node, String> {
        if depth > MAX_DEPTH {
            return Err(format!("yaml: nesting is deeper than {MAX_DEPTH}"));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("yaml: the document has more than {MAX_NODES} values"));
        }
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let quoted = style != ScalarStyle::Plain || tag.is_some();
                (anchor, if quoted { Node::Text(text.into_owned()) } else { scalar::resolve(&text) })
            }
            Event::SequenceStart(anchor, _) => (anchor, self.list(depth)?),
            Event::MappingStart(anchor, _) => (anchor, self.map(depth)?),
            Event::Alias(anchor) => (0, self.alias(anchor)?),
            _ => return Ok(Node::Null),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize) -> Result<Node, String> {
        let node = self.anchors.get(&anchor).cloned().ok_or("yaml: unknown anchor referenced")?;
        self.nodes += size(&node);
        if self.nodes > MAX_NODES {
            return Err("yaml: document contains excessive aliasing".to_owned());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Node, String> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Node::List(items)),
                (event, _) => items.push(self.node(event, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Node, String> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        loop {
            let (key, line) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Node::Map(entries)),
                (Event::Scalar(key, ..), line) => (key.into_owned(), line),
                _ => return Err("yaml: a key must be a plain word".to_owned()),
            };
            let (event, _) = self.next()?;
            let value = self.node(event, depth + 1)?;
            if entries.iter().any(|(earlier, _)| *earlier == key) {
                self.duplicates.push(format!("  line {line}: key {key:?} already set in map"));
                continue;
            }
            entries.push((key, value));
        }
    }
}

fn size(node: &Node) -> usize {
    match node {
        Node::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Node::Map(entries) => 1 + entries.iter().map(|(_, value)| size(value)).sum::<usize>(),
        _ => 1,
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_cannot_exhaust_memory() {
        let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for level in 1..12 {
            let earlier = format!("*a{}", level - 1);
            let _ = writeln!(text, "a{level}: &a{level} [{}]", vec![earlier; 10].join(","));
        }
        assert!(parse(&text).unwrap_err().contains("excessive aliasing"));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let error = parse(&format!("a: {}{}", "[".repeat(200), "]".repeat(200))).unwrap_err();
        assert!(error.contains("nesting"), "{error}");
    }
}
