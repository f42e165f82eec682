//! Filters as conditions of the query engine.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::functions::expr_fn::{contains, lower, regexp_like};
use datafusion::functions_nested::expr_fn::array_has;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast, in_subquery, not_in_subquery, try_cast};
use datafusion::prelude::{col, lit};

use super::super::fault::query;
use super::super::table::Table;
use super::fields::{attribute, column_name, of_resource, promoted};
use super::readable;
use crate::{AttributeScope, Column, Comparison, Field, Filter, Operand, Result, StoreError};

/// How deep a filter may nest.
const DEPTH: usize = 64;

/// Turns filters on one table into conditions.
pub(super) struct Conditions {
    /// The table.
    pub(super) table: Table,
    /// The spans, for what a journey only has in them.
    pub(super) spans: LogicalPlan,
    /// The journeys, for who may see a span.
    pub(super) journeys: LogicalPlan,
}

impl Conditions {
    /// The filter as a condition; none for everything.
    pub(super) fn of(&self, filter: &Filter) -> Result<Option<Expr>> {
        if *filter == Filter::All {
            return Ok(None);
        }
        self.condition(filter, false, DEPTH).map(Some)
    }

    fn condition(&self, filter: &Filter, negated: bool, depth: usize) -> Result<Expr> {
        let depth = depth.checked_sub(1).ok_or_else(|| StoreError::Query("the filter nests too deep".to_owned()))?;
        let all = |filters: &[Filter]| {
            filters.iter().map(|one| self.condition(one, negated, depth)).collect::<Result<Vec<_>>>()
        };
        let leaf = |condition: Expr| if negated { condition.is_true() } else { condition };
        Ok(match filter {
            Filter::All => lit(true),
            Filter::And(filters) => all(filters)?.into_iter().reduce(Expr::and).unwrap_or(lit(true)),
            Filter::Or(filters) => all(filters)?.into_iter().reduce(Expr::or).unwrap_or(lit(false)),
            Filter::Not(inner) => {
                use std::ops::Not as _;
                self.condition(inner, true, depth)?.not()
            }
            Filter::Compare(field, how, with) => leaf(self.compare(field, *how, with)?),
            Filter::Exists(field) => self.exists(field)?,
            Filter::Text(text) => leaf(self.text(text)),
            Filter::Readable(rights) => match self.table {
                Table::Journeys => readable::journey(rights),
                Table::Spans => readable::span(rights, &self.journeys)?,
                Table::Edges | Table::Runs => lit(false),
            },
        })
    }

    fn compare(&self, field: &Field, how: Comparison, with: &Operand) -> Result<Expr> {
        match field {
            Field::Column(column) => match column_name(self.table, *column) {
                Some(name) => self.column(*column, name, how, with),
                None => self.in_spans(&Filter::Compare(field.clone(), how, with.clone())),
            },
            Field::Attribute(scope, key) if self.table == Table::Spans => by_attribute(*scope, key, how, with),
            Field::Attribute(..) => self.in_spans(&Filter::Compare(field.clone(), how, with.clone())),
        }
    }

    fn column(&self, column: Column, name: &str, how: Comparison, with: &Operand) -> Result<Expr> {
        if column == Column::Duration {
            return number(col(name), how, with);
        }
        let text = operand_text(with);
        if self.table == Table::Journeys && matches!(how, Comparison::Equal | Comparison::NotEqual) {
            let is = match column {
                Column::Uid => Some(array_has(col("object_uids"), lit(&text))),
                Column::TraceId => Some(col(name).eq(lit(&text)).or(array_has(col("segments"), lit(&text)))),
                Column::Kind => {
                    let text = text.to_lowercase();
                    Some(lower(col("kind")).eq(lit(&text)).or(col("resource").eq(lit(&text))))
                }
                _ => None,
            };
            if let Some(is) = is {
                return Ok(if how == Comparison::Equal { is } else { is.is_not_true() });
            }
        }
        if column == Column::Kind && self.table == Table::Spans {
            return Ok(texts(lower(col(name)), how, &text.to_lowercase()));
        }
        Ok(texts(col(name), how, &text))
    }

    fn exists(&self, field: &Field) -> Result<Expr> {
        match field {
            // The same, said by the folders: those that cannot have such spans are not read.
            Field::Column(Column::Journey) if self.table == Table::Spans => Ok(col("class").not_eq(lit("background"))),
            Field::Column(column) => match column_name(self.table, *column) {
                Some(name) => Ok(col(name).is_not_null()),
                None => self.in_spans(&Filter::Exists(field.clone())),
            },
            Field::Attribute(scope, key) if self.table == Table::Spans => {
                let maps =
                    ["attributes_string", "attributes_int", "attributes_double", "attributes_bool", "attributes_json"];
                let own =
                    maps.iter().map(|map| attribute(map, key).is_not_null()).reduce(Expr::or).unwrap_or(lit(false));
                Ok(match scope {
                    AttributeScope::Span => own,
                    AttributeScope::Resource => of_resource(key).is_not_null(),
                    AttributeScope::Any => own.or(of_resource(key).is_not_null()),
                })
            }
            Field::Attribute(..) => self.in_spans(&Filter::Exists(field.clone())),
        }
    }

    fn text(&self, text: &str) -> Expr {
        let text = text.to_lowercase();
        if self.table == Table::Journeys {
            return contains(col("search"), lit(text));
        }
        let columns: &[&str] = match self.table {
            Table::Runs => &["command", "version", "status_message"],
            _ => &["name", "service", "namespace", "object_kind", "object_name", "user_name", "status_message"],
        };
        let found = columns.iter().map(|name| contains(lower(col(*name)), lit(&text)).is_true());
        found.reduce(Expr::or).unwrap_or(lit(false))
    }

    /// Journeys with a span for which this holds; what says "not so" asks for journeys without one.
    fn in_spans(&self, filter: &Filter) -> Result<Expr> {
        if self.table != Table::Journeys {
            return Ok(lit(false));
        }
        let (filter, without) = match filter {
            Filter::Compare(field, Comparison::NotEqual, with) => {
                (Filter::Compare(field.clone(), Comparison::Equal, with.clone()), true)
            }
            Filter::Compare(field, Comparison::NotMatches, with) => {
                (Filter::Compare(field.clone(), Comparison::Matches, with.clone()), true)
            }
            other => (other.clone(), false),
        };
        let spans = Self { table: Table::Spans, spans: self.spans.clone(), journeys: self.journeys.clone() };
        let condition = spans.condition(&filter, false, DEPTH)?;
        let plan = || {
            LogicalPlanBuilder::from(self.spans.clone())
                // Their folders say so, too: what belongs to no journey is not read.
                .filter(col("class").not_eq(lit("background")).and(col("journey_id").is_not_null()).and(condition))?
                .project([col("journey_id")])?
                .build()
        };
        let plan = Arc::new(plan().map_err(|error| query(&error))?);
        Ok(if without { not_in_subquery(col("journey_id"), plan) } else { in_subquery(col("journey_id"), plan) })
    }
}

fn by_attribute(scope: AttributeScope, key: &str, how: Comparison, with: &Operand) -> Result<Expr> {
    if key == "service.name" && scope != AttributeScope::Span {
        return Ok(texts(col("service"), how, &operand_text(with)));
    }
    let own = match with {
        Operand::Text(text) => {
            let own = texts(attribute("attributes_string", key), how, text);
            match promoted(scope, key).filter(|_| how == Comparison::Equal) {
                // The column finds the files and pages; the attribute decides.
                Some(column) => col(column).eq(lit(text.as_str())).and(own),
                None => own,
            }
        }
        Operand::Bool(_) => texts(cast(attribute("attributes_bool", key), DataType::Utf8), how, &operand_text(with)),
        Operand::Int(_) | Operand::Float(_) => {
            let whole = number(attribute("attributes_int", key), how, with)?;
            whole.is_true().or(number(attribute("attributes_double", key), how, with)?.is_true())
        }
    };
    let resource = || match with {
        Operand::Int(_) | Operand::Float(_) => number(try_cast(of_resource(key), DataType::Float64), how, with),
        _ => Ok(texts(of_resource(key), how, &operand_text(with))),
    };
    Ok(match scope {
        AttributeScope::Span => own,
        AttributeScope::Resource => resource()?,
        AttributeScope::Any => own.is_true().or(resource()?.is_true()),
    })
}

fn texts(value: Expr, how: Comparison, with: &str) -> Expr {
    let pattern = || lit(format!("^(?:{with})$"));
    match how {
        Comparison::Equal => value.eq(lit(with)),
        Comparison::NotEqual => value.not_eq(lit(with)),
        Comparison::Less => value.lt(lit(with)),
        Comparison::LessOrEqual => value.lt_eq(lit(with)),
        Comparison::Greater => value.gt(lit(with)),
        Comparison::GreaterOrEqual => value.gt_eq(lit(with)),
        Comparison::Matches => regexp_like(value, pattern(), None),
        Comparison::NotMatches => regexp_like(value, pattern(), None).is_false(),
    }
}

fn number(value: Expr, how: Comparison, with: &Operand) -> Result<Expr> {
    let wrong = || StoreError::Query(format!("{} is no number", operand_text(with)));
    let number = match with {
        Operand::Int(number) => lit(*number),
        Operand::Float(number) => lit(*number),
        Operand::Text(text) => match text.parse::<i64>() {
            Ok(number) => lit(number),
            Err(_) => lit(text.parse::<f64>().map_err(|_| wrong())?),
        },
        Operand::Bool(_) => return Err(wrong()),
    };
    Ok(match how {
        Comparison::Equal => value.eq(number),
        Comparison::NotEqual => value.not_eq(number),
        Comparison::Less => value.lt(number),
        Comparison::LessOrEqual => value.lt_eq(number),
        Comparison::Greater => value.gt(number),
        Comparison::GreaterOrEqual => value.gt_eq(number),
        Comparison::Matches | Comparison::NotMatches => {
            return Err(StoreError::Query("a number does not match a regular expression".to_owned()));
        }
    })
}

fn operand_text(operand: &Operand) -> String {
    match operand {
        Operand::Text(text) => text.to_string(),
        Operand::Int(number) => number.to_string(),
        Operand::Float(number) => number.to_string(),
        Operand::Bool(yes) => yes.to_string(),
    }
}
