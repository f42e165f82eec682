//! What a store must look for, so that every trace that a query means is among what it finds.

use clew_store::{AttributeScope, Column, Comparison, Field, Filter, Operand as StoreOperand};

use super::ast::{Combine, Expression, FieldName, Intrinsic, Mode, Operand, Query, Scope, Spansets, Static};
use super::evaluate::constant_holds;

/// A filter for a store.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    /// Every trace that the query means has a span for which this holds.
    pub filter: Filter,
    /// Whether those spans are just the ones that the query means, so that no trace need be looked at.
    pub exact: bool,
}

impl Candidates {
    const fn exact(filter: Filter) -> Self {
        Self { filter, exact: true }
    }

    /// Nothing is known before the trace is looked at.
    const UNKNOWN: Self = Self { filter: Filter::All, exact: false };

    fn says_nothing(&self) -> bool {
        self.filter == Filter::All
    }
}

/// What a store must look for.
pub fn candidates(query: &Query) -> Candidates {
    let found = spansets(&query.spansets);
    Candidates { exact: found.exact && query.stages.is_empty(), ..found }
}

fn spansets(expression: &Spansets) -> Candidates {
    let (left, how, right) = match expression {
        Spansets::Filter(None) => return Candidates::exact(Filter::All),
        Spansets::Filter(Some(filter)) => {
            let found = condition(filter);
            let root = if found.says_nothing() && !found.exact { on_root(filter) } else { None };
            return root.map_or(found, |filter| Candidates { filter, exact: false });
        }
        Spansets::Combined(left, how, right) => (spansets(left), how, spansets(right)),
    };
    let filter = match how {
        Combine::Or => either(left.filter, right.filter),
        // One side is enough to find the trace; the right one is mostly the more special.
        Combine::And | Combine::Related(_, Mode::Plain | Mode::Union) if right.says_nothing() => left.filter,
        Combine::And | Combine::Related(..) => right.filter,
    };
    Candidates { filter, exact: false }
}

/// Both hold; what says nothing is left out. A long chain becomes one flat list: stores limit how deep filters nest.
fn both(left: Filter, right: Filter) -> Filter {
    match (left, right) {
        (Filter::All, other) | (other, Filter::All) => other,
        (Filter::And(mut all), Filter::And(more)) => {
            all.extend(more);
            Filter::And(all)
        }
        (Filter::And(mut all), one) => {
            all.push(one);
            Filter::And(all)
        }
        (left, right) => Filter::And(vec![left, right]),
    }
}

/// One holds.
fn either(left: Filter, right: Filter) -> Filter {
    match (left, right) {
        (Filter::All, _) | (_, Filter::All) => Filter::All,
        (Filter::Or(mut any), Filter::Or(more)) => {
            any.extend(more);
            Filter::Or(any)
        }
        (Filter::Or(mut any), one) => {
            any.push(one);
            Filter::Or(any)
        }
        (left, right) => Filter::Or(vec![left, right]),
    }
}

fn condition(expression: &Expression) -> Candidates {
    match expression {
        Expression::And(left, right) => {
            let (left, right) = (condition(left), condition(right));
            Candidates { filter: both(left.filter, right.filter), exact: left.exact && right.exact }
        }
        Expression::Or(left, right) => {
            let (left, right) = (condition(left), condition(right));
            Candidates { filter: either(left.filter, right.filter), exact: left.exact && right.exact }
        }
        Expression::Not(inner) => match condition(inner) {
            Candidates { filter, exact: true } => Candidates::exact(Filter::Not(Box::new(filter))),
            _ => Candidates::UNKNOWN,
        },
        Expression::Is(Operand::Static(value)) => constant(*value == Static::Bool(true)),
        Expression::Is(Operand::Field(field)) => compare(field, Comparison::Equal, &Static::Bool(true)),
        Expression::Compare(left, how, right) => compare_operands(left, *how, right),
    }
}

fn constant(holds: bool) -> Candidates {
    Candidates::exact(if holds { Filter::All } else { Filter::Not(Box::new(Filter::All)) })
}

fn compare_operands(left: &Operand, how: Comparison, right: &Operand) -> Candidates {
    match (left, right) {
        (Operand::Field(field), Operand::Static(value)) => compare(field, how, value),
        (Operand::Static(value), Operand::Field(field)) => {
            mirrored(how).map_or(Candidates::UNKNOWN, |how| compare(field, how, value))
        }
        (Operand::Static(left), Operand::Static(right)) => constant(constant_holds(left, how, right)),
        (Operand::Field(left), Operand::Field(right)) => {
            let exists = [left, right].into_iter().filter_map(field_of).map(Filter::Exists);
            Candidates { filter: Filter::And(exists.collect()), exact: false }
        }
    }
}

const fn mirrored(how: Comparison) -> Option<Comparison> {
    match how {
        Comparison::Less => Some(Comparison::Greater),
        Comparison::LessOrEqual => Some(Comparison::GreaterOrEqual),
        Comparison::Greater => Some(Comparison::Less),
        Comparison::GreaterOrEqual => Some(Comparison::LessOrEqual),
        Comparison::Equal | Comparison::NotEqual => Some(how),
        Comparison::Matches | Comparison::NotMatches => None,
    }
}

fn compare(field: &FieldName, how: Comparison, value: &Static) -> Candidates {
    match field {
        FieldName::Intrinsic(Intrinsic::NestedSetParent) => nested_parent(how, value),
        FieldName::Intrinsic(Intrinsic::TraceId) => trace_id(how, value),
        _ => match field_of(field) {
            Some(field) => Candidates::exact(compared(field, how, value)),
            None => Candidates::UNKNOWN,
        },
    }
}

fn compared(field: Field, how: Comparison, value: &Static) -> Filter {
    match (value.store_operand(), how) {
        (Some(operand), _) => Filter::Compare(field, how, operand),
        (None, Comparison::Equal) => Filter::Not(Box::new(Filter::Exists(field))),
        (None, Comparison::NotEqual) => Filter::Exists(field),
        (None, _) => Filter::Not(Box::new(Filter::All)),
    }
}

/// Grafana asks for the roots with `nestedSetParent < 0`.
fn nested_parent(how: Comparison, value: &Static) -> Candidates {
    let holds = |place| constant_holds(&Static::Int(place), how, value);
    if holds(-1) && !holds(0) && !holds(1) && !holds(i64::MAX) {
        return Candidates::exact(Filter::Not(Box::new(Filter::Exists(Column::ParentId.into()))));
    }
    Candidates::UNKNOWN
}

/// A trace is a journey or a native trace, and a span of a journey may have either id.
fn trace_id(how: Comparison, value: &Static) -> Candidates {
    let (Comparison::Equal, Some(operand)) = (how, value.store_operand()) else { return Candidates::UNKNOWN };
    let is = |column: Column, operand: StoreOperand| Filter::Compare(column.into(), Comparison::Equal, operand);
    let filter = Filter::Or(vec![is(Column::TraceId, operand.clone()), is(Column::Journey, operand)]);
    Candidates { filter, exact: false }
}

/// What holds for the root of a trace, if the condition is of the root alone.
fn on_root(expression: &Expression) -> Option<Filter> {
    match expression {
        Expression::And(left, right) => Some(Filter::And(vec![on_root(left)?, on_root(right)?])),
        Expression::Compare(Operand::Field(FieldName::Intrinsic(field)), how, Operand::Static(value)) => {
            let column = match field {
                Intrinsic::RootName => Column::SpanName,
                Intrinsic::RootServiceName => Column::Service,
                _ => return None,
            };
            Some(compared(column.into(), *how, value))
        }
        _ => None,
    }
}

/// The field of a store that holds it; none if only a whole trace tells.
pub fn field_of(field: &FieldName) -> Option<Field> {
    let column = match field {
        FieldName::Attribute(Scope::Resource, key) if key == "service.name" => Column::Service,
        FieldName::Attribute(scope, key) => {
            let scope = match scope {
                Scope::Any => AttributeScope::Any,
                Scope::Span => AttributeScope::Span,
                Scope::Resource => AttributeScope::Resource,
            };
            return Some(Field::Attribute(scope, key.clone()));
        }
        FieldName::Intrinsic(intrinsic) => match intrinsic {
            Intrinsic::Duration => Column::Duration,
            Intrinsic::Name => Column::SpanName,
            Intrinsic::Status => Column::Status,
            Intrinsic::StatusMessage => Column::StatusMessage,
            Intrinsic::Kind => Column::SpanKind,
            Intrinsic::SpanId => Column::SpanId,
            _ => return None,
        },
    };
    Some(column.into())
}
