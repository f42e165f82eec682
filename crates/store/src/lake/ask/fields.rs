//! Fields of a filter as columns and expressions of a table.

use datafusion::arrow::datatypes::DataType;
use datafusion::functions::expr_fn::get_field;
use datafusion::logical_expr::{Expr, cast};
use datafusion::prelude::{coalesce, col, lit};

use super::super::table::Table;
use super::resource::resource_attribute;
use crate::{AttributeScope, Column, Field, columns};

/// The column of a table that holds what people search by; none if the table has none.
pub(super) fn column_name(table: Table, column: Column) -> Option<&'static str> {
    match table {
        Table::Spans if column == Column::Journey => Some("journey_id"),
        Table::Spans => columns::column_name(column),
        Table::Journeys => journey_column(column),
        Table::Runs => match column {
            Column::Name | Column::Command => Some("command"),
            Column::Status => Some("status"),
            Column::StatusMessage => Some("status_message"),
            Column::Duration => Some("duration_nano"),
            Column::TraceId => Some("run_id"),
            _ => None,
        },
        Table::Edges => None,
    }
}

fn journey_column(column: Column) -> Option<&'static str> {
    Some(match column {
        Column::Cluster => "cluster",
        Column::Namespace => "namespace",
        Column::Kind => "kind",
        Column::Name => "name",
        Column::Uid => "uid",
        Column::User => "user_name",
        Column::Agent => "user_agent",
        Column::Verb => "verb",
        Column::Duration => "duration_nano",
        Column::State => "state",
        Column::Reason => "reason",
        Column::Command => "command",
        Column::Journey | Column::TraceId => "journey_id",
        _ => return None,
    })
}

/// The column that always has the value of an attribute where the attribute is there: its strongest key.
pub(super) fn promoted(scope: AttributeScope, key: &str) -> Option<&'static str> {
    let (scoped, column) = match key {
        "k8s.namespace.name" => (AttributeScope::Span, "namespace"),
        "user.name" => (AttributeScope::Span, "user_name"),
        "user_agent.original" => (AttributeScope::Span, "user_agent"),
        _ => return None,
    };
    (scope == scoped || scope == AttributeScope::Any).then_some(column)
}

/// The value of a span's attribute, in the map of one type.
pub(in crate::lake) fn attribute(map: &str, key: &str) -> Expr {
    get_field(col(map), key)
}

/// The value of a resource's attribute, as text.
pub(in crate::lake) fn of_resource(key: &str) -> Expr {
    resource_attribute().call(vec![col("resource"), lit(key)])
}

/// A field as text, to group and list by; none if the table does not have it.
pub(super) fn as_text(table: Table, field: &Field) -> Option<Expr> {
    match field {
        Field::Column(column) => column_name(table, *column).map(|name| cast(col(name), DataType::Utf8)),
        Field::Attribute(_, _) if table != Table::Spans => None,
        Field::Attribute(AttributeScope::Any | AttributeScope::Resource, key) if key == "service.name" => {
            Some(col("service"))
        }
        Field::Attribute(AttributeScope::Resource, key) => Some(of_resource(key)),
        Field::Attribute(scope, key) => {
            let text = |map: &str| cast(attribute(map, key), DataType::Utf8);
            let mut values = vec![attribute("attributes_string", key)];
            values.extend(["attributes_int", "attributes_double", "attributes_bool"].map(text));
            if *scope == AttributeScope::Any {
                values.push(of_resource(key));
            }
            Some(coalesce(values))
        }
    }
}
