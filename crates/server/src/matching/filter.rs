//! Filters with their regular expressions ready, and how their parts are joined.

use std::sync::Arc;

use clew_model::Span;
use clew_store::{Comparison, Field, Filter, Operand, Rights};
use regex::{Regex, RegexBuilder};

use super::journey::Subject;
use super::{journey, span};

/// How much memory one compiled regular expression may take.
const MAX_REGEX_BYTES: usize = 1 << 20;

/// A filter that is asked many times.
#[derive(Debug)]
pub struct Matcher(Node);

/// Whether a filter holds for a journey that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Yes,
    /// It does not hold, but may have held before the change: who shows the journey must take it away.
    NoLonger,
    /// It does not hold and never did.
    No,
}

/// A filter with its regular expressions compiled.
#[derive(Debug)]
pub(super) enum Node {
    All,
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Compare(Field, Comparison, Operand),
    Matches(Field, Regex, bool),
    Exists(Field),
    Text(String),
    Readable(Arc<Rights>),
}

impl Matcher {
    /// Takes a filter; none if a regular expression in it is wrong or too large.
    pub fn new(filter: &Filter) -> Option<Self> {
        node(filter).map(Self)
    }

    /// Whether the filter holds for a journey.
    pub fn journey(&self, subject: &Subject<'_>) -> Verdict {
        if eval(&self.0, &|leaf| Some(journey::holds(leaf, subject))) == Some(true) {
            return Verdict::Yes;
        }
        let once = |leaf: &Node| (!journey::may_change(leaf)).then(|| journey::holds(leaf, subject));
        if eval(&self.0, &once) == Some(false) { Verdict::No } else { Verdict::NoLonger }
    }

    /// Whether the filter holds for a span.
    pub fn span(&self, cluster: &str, span: &Span) -> bool {
        eval(&self.0, &|leaf| Some(span::holds(leaf, cluster, span))) == Some(true)
    }
}

fn node(filter: &Filter) -> Option<Node> {
    let all = |filters: &[Filter]| filters.iter().map(node).collect::<Option<Vec<_>>>();
    Some(match filter {
        Filter::All => Node::All,
        Filter::And(filters) => Node::And(all(filters)?),
        Filter::Or(filters) => Node::Or(all(filters)?),
        Filter::Not(filter) => Node::Not(Box::new(node(filter)?)),
        Filter::Compare(field, Comparison::Matches, operand) => Node::Matches(field.clone(), whole(operand)?, true),
        Filter::Compare(field, Comparison::NotMatches, operand) => Node::Matches(field.clone(), whole(operand)?, false),
        Filter::Compare(field, comparison, operand) => Node::Compare(field.clone(), *comparison, operand.clone()),
        Filter::Exists(field) => Node::Exists(field.clone()),
        Filter::Text(text) => Node::Text(text.to_lowercase()),
        Filter::Readable(rights) => Node::Readable(Arc::clone(rights)),
    })
}

fn whole(operand: &Operand) -> Option<Regex> {
    let Operand::Text(text) = operand else { return None };
    RegexBuilder::new(&format!("^(?:{text})$")).size_limit(MAX_REGEX_BYTES).build().ok()
}

/// Three-valued: a leaf that is not known leaves open what does not follow from the others.
fn eval(node: &Node, leaf: &dyn Fn(&Node) -> Option<bool>) -> Option<bool> {
    match node {
        Node::All => Some(true),
        Node::And(nodes) => decided(nodes, false, leaf),
        Node::Or(nodes) => decided(nodes, true, leaf),
        Node::Not(node) => eval(node, leaf).map(|holds| !holds),
        other => leaf(other),
    }
}

/// One part that is `decisive` decides; else all must be known.
fn decided(nodes: &[Node], decisive: bool, leaf: &dyn Fn(&Node) -> Option<bool>) -> Option<bool> {
    let mut result = Some(!decisive);
    for node in nodes {
        match eval(node, leaf) {
            Some(value) if value == decisive => return Some(decisive),
            None => result = None,
            Some(_) => {}
        }
    }
    result
}
