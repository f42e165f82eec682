//! What a condition asks of attributes, as far as it can be told of a row group without reading its rows.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TryCast};

/// What must be there for a condition to hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    /// Nothing that could be told.
    Anything,
    /// A value in a map of attributes, whatever its key.
    Value {
        /// The column with the map.
        map: String,
        /// The value.
        value: ScalarValue,
    },
    /// An attribute of a resource.
    Resource {
        /// Its key.
        key: String,
        /// Its value, as text.
        value: String,
    },
    /// All of these.
    All(Vec<Asked>),
    /// One of these.
    One(Vec<Asked>),
}

impl Asked {
    /// What all of these conditions ask.
    pub(super) fn of(filters: &[Expr]) -> Self {
        conjunction(filters.iter().cloned()).map_or(Self::Anything, |filter| Self::by(&filter))
    }

    fn by(condition: &Expr) -> Self {
        match condition {
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => all(Self::by(left), Self::by(right)),
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => one([Self::by(left), Self::by(right)]),
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => match (left.as_ref(), right.as_ref()) {
                (field, Expr::Literal(value, _)) | (Expr::Literal(value, _), field) => equal(field, value),
                _ => Self::Anything,
            },
            Expr::InList(InList { expr, list, negated: false }) => one(list.iter().map(|item| match item {
                Expr::Literal(value, _) => equal(expr, value),
                _ => Self::Anything,
            })),
            Expr::IsTrue(inner) => Self::by(inner),
            _ => Self::Anything,
        }
    }

    /// Whether it may hold, if each part does of which this is said.
    pub(super) fn may_hold(&self, part: &impl Fn(&Self) -> bool) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|one| one.may_hold(part)),
            Self::One(parts) => parts.iter().any(|one| one.may_hold(part)),
            _ => part(self),
        }
    }

    /// Whether a part of it is like this.
    pub(super) fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        match self {
            Self::All(parts) | Self::One(parts) => parts.iter().any(|one| one.any(is)),
            _ => is(self),
        }
    }
}

fn all(left: Asked, right: Asked) -> Asked {
    match (left, right) {
        (Asked::Anything, other) | (other, Asked::Anything) => other,
        (left, right) => Asked::All(vec![left, right]),
    }
}

fn one(parts: impl IntoIterator<Item = Asked>) -> Asked {
    let parts: Vec<Asked> = parts.into_iter().collect();
    if parts.contains(&Asked::Anything) { Asked::Anything } else { Asked::One(parts) }
}

/// What a field asks that is equal to a value.
fn equal(field: &Expr, value: &ScalarValue) -> Asked {
    match field {
        Expr::ScalarFunction(function) if function.name() == "get_field" => in_map(function, value),
        Expr::ScalarFunction(function) => of_resource(function, value),
        Expr::TryCast(TryCast { expr, .. }) => match expr.as_ref() {
            Expr::ScalarFunction(function) => of_resource(function, value),
            _ => Asked::Anything,
        },
        _ => Asked::Anything,
    }
}

fn in_map(function: &ScalarFunction, value: &ScalarValue) -> Asked {
    let [Expr::Column(map), Expr::Literal(..)] = function.args.as_slice() else { return Asked::Anything };
    let is_told = match (map.name(), value) {
        ("attributes_string", ScalarValue::Utf8(Some(_))) | ("attributes_int", ScalarValue::Int64(Some(_))) => true,
        // There are two zeros, and many that are no number.
        ("attributes_double", ScalarValue::Float64(Some(number))) => *number != 0.0 && !number.is_nan(),
        _ => false,
    };
    if is_told { Asked::Value { map: map.name().to_owned(), value: value.clone() } } else { Asked::Anything }
}

fn of_resource(function: &ScalarFunction, value: &ScalarValue) -> Asked {
    let [Expr::Column(column), Expr::Literal(key, _)] = function.args.as_slice() else { return Asked::Anything };
    let value = match value {
        ScalarValue::Utf8(Some(text)) => text.clone(),
        ScalarValue::Float64(Some(number)) => number.to_string(),
        _ => return Asked::Anything,
    };
    let is_told = function.name() == "resource_attribute" && column.name() == "resource";
    match key.try_as_str() {
        Some(Some(key)) if is_told => Asked::Resource { key: key.to_owned(), value },
        _ => Asked::Anything,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Not as _;

    use datafusion::arrow::datatypes::DataType;
    use datafusion::logical_expr::try_cast;
    use datafusion::prelude::{col, lit};

    use super::*;
    use crate::lake::ask::{attribute, of_resource, resource_attribute};

    fn value(map: &str, value: impl Into<ScalarValue>) -> Asked {
        Asked::Value { map: map.to_owned(), value: value.into() }
    }

    fn resource(key: &str, value: &str) -> Asked {
        Asked::Resource { key: key.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn what_must_be_there_is_told_and_the_rest_is_left_out() {
        let own = || attribute("attributes_string", "url").eq(lit("/a"));
        let number = || attribute("attributes_int", "size").eq(lit(5_i64));
        let of = |condition: Expr| Asked::of(&[condition]);
        assert_eq!(of(own()), value("attributes_string", "/a"));
        assert_eq!(of(col("name").eq(lit("Get")).and(own())), value("attributes_string", "/a"));
        assert_eq!(of(own().is_true().or(number())), Asked::One(vec![of(own()), of(number())]));
        assert_eq!(Asked::of(&[own(), number()]), Asked::All(vec![of(own()), of(number())]));
        assert_eq!(of(of_resource("pod").eq(lit("web"))), resource("pod", "web"));
        assert_eq!(of(try_cast(of_resource("pod"), DataType::Float64).eq(lit(5.0))), resource("pod", "5"));
        let listed = attribute("attributes_string", "url").in_list(vec![lit("/a"), lit("/b")], false);
        assert_eq!(of(listed), Asked::One(vec![of(own()), value("attributes_string", "/b")]));
    }

    #[test]
    fn what_may_hold_anywhere_asks_for_nothing() {
        let own = || attribute("attributes_string", "url").eq(lit("/a"));
        let anything = [
            own().not(),
            own().is_not_true(),
            own().or(col("name").eq(lit("Get"))),
            attribute("attributes_string", "url").not_eq(lit("/a")),
            attribute("attributes_string", "url").in_list(vec![lit("/a")], true),
            try_cast(attribute("attributes_string", "size"), DataType::Float64).eq(lit(5.0)),
            attribute("attributes_double", "size").eq(lit(0.0)),
            attribute("attributes_string", "url").eq(col("name")),
            resource_attribute().call(vec![col("events"), lit("pod")]).eq(lit("web")),
        ];
        for condition in anything {
            assert_eq!(Asked::of(std::slice::from_ref(&condition)), Asked::Anything, "{condition}");
        }
        assert_eq!(Asked::of(&[]), Asked::Anything);
    }
}
