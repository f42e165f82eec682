//! A tree as text that is read back as the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    Combine, Expression, FieldName, Metrics, Mode, Operand, Query, Relation, Scope, Spansets, Stage, Static,
};
use super::text::{is_key, quote};
use super::words::{constant_name, symbol};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spansets)?;
        for stage in &self.stages {
            write!(f, " | {stage}")?;
        }
        if self.hints.is_empty() {
            return Ok(());
        }
        f.write_str(" with(")?;
        separated(f, &self.hints, |f, (name, value)| write!(f, "{name}={value}"))?;
        f.write_char(')')
    }
}

impl Display for Spansets {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filter(None) => f.write_str("{ }"),
            Self::Filter(Some(expression)) => write!(f, "{{ {expression} }}"),
            Self::Combined(left, how, right) => {
                inner(f, left)?;
                write!(f, " {} ", how.symbol())?;
                inner(f, right)
            }
        }
    }
}

fn inner(f: &mut Formatter<'_>, spansets: &Spansets) -> fmt::Result {
    match spansets {
        Spansets::Filter(_) => write!(f, "{spansets}"),
        Spansets::Combined(..) => write!(f, "({spansets})"),
    }
}

impl Combine {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::And => "&&",
            Self::Or => "||",
            Self::Related(relation, mode) => {
                let symbols = match relation {
                    Relation::Child => [">", "!>", "&>"],
                    Relation::Descendant => [">>", "!>>", "&>>"],
                    Relation::Parent => ["<", "!<", "&<"],
                    Relation::Ancestor => ["<<", "!<<", "&<<"],
                    Relation::Sibling => ["~", "!~", "&~"],
                };
                symbols[mode as usize]
            }
        }
    }

    /// Every way to put two sets together.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let relations =
            [Relation::Child, Relation::Descendant, Relation::Parent, Relation::Ancestor, Relation::Sibling];
        let related = relations.into_iter().flat_map(|relation| {
            [Mode::Plain, Mode::Not, Mode::Union].into_iter().map(move |mode| Self::Related(relation, mode))
        });
        [Self::And, Self::Or].into_iter().chain(related)
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(left, right) => write!(f, "({left}) && ({right})"),
            Self::Or(left, right) => write!(f, "({left}) || ({right})"),
            Self::Not(inner) => write!(f, "!({inner})"),
            Self::Compare(left, how, right) => write!(f, "{left} {} {right}", symbol(*how)),
            Self::Is(operand) => write!(f, "{operand}"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => write!(f, "{field}"),
            Self::Static(value) => write!(f, "{value}"),
        }
    }
}

impl Display for FieldName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (scope, key) = match self {
            Self::Intrinsic(intrinsic) => return f.write_str(intrinsic.name()),
            Self::Attribute(scope, key) => (scope, key),
        };
        f.write_str(match scope {
            Scope::Any => ".",
            Scope::Span => "span.",
            Scope::Resource => "resource.",
        })?;
        // A digit after the dot would be read as a number.
        if key.chars().all(is_key) && !key.starts_with(|c: char| c.is_ascii_digit()) {
            return f.write_str(key);
        }
        quote(key, f)
    }
}

impl Display for Static {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => quote(text, f),
            Self::Int(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Duration(nanos) => write!(f, "{nanos}ns"),
            named => f.write_str(constant_name(named)),
        }
    }
}

impl Display for Stage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filter(None) => f.write_str("{ }"),
            Self::Filter(Some(expression)) => write!(f, "{{ {expression} }}"),
            Self::Select(fields) => call(f, "select", fields),
            Self::By(fields) => call(f, "by", fields),
            Self::Aggregate(function, of, how, value) => {
                call(f, function.name(), of.as_slice())?;
                write!(f, " {} {value}", symbol(*how))
            }
            Self::Metrics(metrics) => write!(f, "{metrics}"),
        }
    }
}

impl Display for Metrics {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function.name())?;
        separated(f, self.of.as_slice(), |f, field| write!(f, "{field}"))?;
        for quantile in &self.quantiles {
            write!(f, ", {quantile:?}")?;
        }
        f.write_char(')')?;
        if self.by.is_empty() {
            return Ok(());
        }
        f.write_char(' ')?;
        call(f, "by", &self.by)
    }
}

fn call(f: &mut Formatter<'_>, name: &str, fields: &[FieldName]) -> fmt::Result {
    write!(f, "{name}(")?;
    separated(f, fields, |f, field| write!(f, "{field}"))?;
    f.write_char(')')
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}
