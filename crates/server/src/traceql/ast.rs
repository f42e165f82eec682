//! A query as a tree.

use clew_model::{SpanKind, StatusCode};
use clew_store::Comparison;
use compact_str::CompactString;

/// A whole query: which spans, and what to make of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Which spans.
    pub spansets: Spansets,
    /// What is done with them, in order.
    pub stages: Vec<Stage>,
    /// What a client tells the server about speed and exactness; read, and of no effect here.
    pub hints: Vec<(CompactString, Static)>,
}

/// Sets of spans of one trace, and how they are put together.
#[derive(Debug, Clone, PartialEq)]
pub enum Spansets {
    /// `{ … }`: the spans for which it holds; `{}` means all.
    Filter(Option<Expression>),
    /// Two sets put together.
    Combined(Box<Spansets>, Combine, Box<Spansets>),
}

/// How two sets of spans are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// Both sets have spans: all of them.
    And,
    /// One of the sets has spans: all of them.
    Or,
    /// The spans of the right set that stand so to one of the left.
    Related(Relation, Mode),
}

/// How a span of the right set stands to one of the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `>`: it is its child.
    Child,
    /// `>>`: it hangs somewhere below it.
    Descendant,
    /// `<`: it is its parent.
    Parent,
    /// `<<`: it is somewhere above it.
    Ancestor,
    /// `~`: they have the same parent.
    Sibling,
}

/// What is asked of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The right spans that stand so.
    Plain,
    /// The right spans that do not: `!>>`.
    Not,
    /// The spans of either side that take part: `&>>`.
    Union,
}

/// A condition on one span.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// Both hold.
    And(Box<Expression>, Box<Expression>),
    /// One holds.
    Or(Box<Expression>, Box<Expression>),
    /// It does not hold.
    Not(Box<Expression>),
    /// Two operands compared.
    Compare(Operand, Comparison, Operand),
    /// The operand is true.
    Is(Operand),
}

/// What stands on either side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// Something of the span.
    Field(FieldName),
    /// A value.
    Static(Static),
}

/// Something of a span that has a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FieldName {
    /// What every span has.
    Intrinsic(Intrinsic),
    /// An attribute by its key.
    Attribute(Scope, CompactString),
}

/// Whose attribute is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `.key`: the span's, or else its resource's.
    Any,
    /// `span.key`.
    Span,
    /// `resource.key`.
    Resource,
}

/// What every span has, whatever its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    /// How long the span took.
    Duration,
    /// The span's name.
    Name,
    /// unset, ok, error.
    Status,
    /// Why it failed.
    StatusMessage,
    /// server, client and so on.
    Kind,
    /// How long the whole trace took.
    TraceDuration,
    /// The name of the trace's root.
    RootName,
    /// The service of the trace's root.
    RootServiceName,
    /// The trace's id.
    TraceId,
    /// The span's id.
    SpanId,
    /// The id of the span's parent.
    ParentId,
    /// The place of the parent in the tree; -1 for a root.
    NestedSetParent,
    /// Where the span begins in a walk around the tree.
    NestedSetLeft,
    /// Where it ends.
    NestedSetRight,
}

/// A value as it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Static {
    /// Text.
    Text(CompactString),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A duration in nanoseconds.
    Duration(i64),
    /// Yes or no.
    Bool(bool),
    /// Nothing: `!= nil` asks whether it is there.
    Nil,
    /// How a span ended.
    Status(StatusCode),
    /// Which side of a call it is.
    Kind(SpanKind),
}

/// What is done with the sets of spans.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// `| { … }`: only those.
    Filter(Option<Expression>),
    /// `| select(…)`: tell these fields, too.
    Select(Vec<FieldName>),
    /// `| by(…)`: a set for each value.
    By(Vec<FieldName>),
    /// `| count() > 2`: only sets for which it holds.
    Aggregate(Aggregate, Option<FieldName>, Comparison, Static),
    /// `| rate() by(…)`: numbers over time.
    Metrics(Metrics),
}

/// A number for a set of spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// How many.
    Count,
    /// The mean.
    Avg,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The sum.
    Sum,
}

/// Numbers over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Metrics {
    /// Which.
    pub function: MetricsFunction,
    /// Of what; none where spans are counted.
    pub of: Option<FieldName>,
    /// The quantiles that are asked for.
    pub quantiles: Vec<f64>,
    /// A series for each combination of these.
    pub by: Vec<FieldName>,
}

/// Which numbers over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsFunction {
    /// Spans per second.
    Rate,
    /// Spans.
    CountOverTime,
    /// The least.
    MinOverTime,
    /// The greatest.
    MaxOverTime,
    /// The mean.
    AvgOverTime,
    /// The sum.
    SumOverTime,
    /// Quantiles.
    QuantileOverTime,
    /// How many in each power of two.
    HistogramOverTime,
}

impl Expression {
    /// Adds every field that the condition names.
    pub fn fields(&self, found: &mut Vec<FieldName>) {
        let mut add = |operand: &Operand| {
            if let Operand::Field(field) = operand {
                found.push(field.clone());
            }
        };
        match self {
            Self::Is(operand) => add(operand),
            Self::Compare(left, _, right) => {
                add(left);
                add(right);
            }
            Self::Not(inner) => inner.fields(found),
            Self::And(left, right) | Self::Or(left, right) => {
                left.fields(found);
                right.fields(found);
            }
        }
    }
}
