//! Which spans or journeys are meant, as a tree that any query language can be turned into.

use std::sync::Arc;

use compact_str::CompactString;

use crate::rights::Rights;

/// A condition on a span or a journey.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Filter {
    /// Everything.
    #[default]
    All,
    /// All of these hold.
    And(Vec<Filter>),
    /// One of these holds.
    Or(Vec<Filter>),
    /// This does not hold.
    Not(Box<Filter>),
    /// A field compared with a value; false where the field is missing.
    Compare(Field, Comparison, Operand),
    /// The field is there.
    Exists(Field),
    /// The text occurs, in any case, in what a person reads: names, namespaces, users, messages.
    Text(String),
    /// Somebody with these rights may see the journey, or the journey that the span belongs to; and no other that the
    /// span's trace is part of hides it.
    Readable(Arc<Rights>),
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// A column of its own: fast.
    Column(Column),
    /// An attribute by its key: slower, unless a column holds it.
    Attribute(AttributeScope, CompactString),
}

/// Whose attribute it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributeScope {
    /// The span's or its resource's.
    Any,
    /// The span's own.
    Span,
    /// Its resource's.
    Resource,
}

/// What people search by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// The cluster.
    Cluster,
    /// The namespace of the object, or of the root change for a journey.
    Namespace,
    /// The object's kind, or resource where no source told the kind.
    Kind,
    /// The object's name.
    Name,
    /// The object's UID.
    Uid,
    /// The node.
    Node,
    /// Who asked.
    User,
    /// With what: the user agent.
    Agent,
    /// What was asked: create, update, patch, delete.
    Verb,
    /// The service that made the span.
    Service,
    /// The span's name.
    SpanName,
    /// The span's kind, as a word: server, client.
    SpanKind,
    /// unset, ok, error.
    Status,
    /// Why it failed.
    StatusMessage,
    /// Nanoseconds.
    Duration,
    /// A journey's state: open, converged, failed, stuck.
    State,
    /// What a journey waits on: `ImagePullBackOff`.
    Reason,
    /// The command that a journey belongs to.
    Command,
    /// The journey that a span belongs to.
    Journey,
    /// The trace id.
    TraceId,
    /// The span id.
    SpanId,
    /// The parent's span id.
    ParentId,
}

/// How it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The same.
    Equal,
    /// There, and not the same.
    NotEqual,
    /// Less.
    Less,
    /// Less or the same.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Greater or the same.
    GreaterOrEqual,
    /// Matches the regular expression as a whole.
    Matches,
    /// There, and does not match it.
    NotMatches,
}

/// What it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// Text; ids are in lower-case hex.
    Text(CompactString),
    /// A whole number; durations are nanoseconds.
    Int(i64),
    /// A number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
}
