//! The columns of spans, by name and type.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field as ArrowField, Fields, Schema, SchemaRef};
use clew_model::{SpanKind, StatusCode};

use crate::Column;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(fields())));

/// The columns of a batch of spans. Types are those that Delta Lake has, except that ids have a fixed size and
/// `resource` is a dictionary: both widen to binary and text when they are written.
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// The column of spans that holds what people search by; none for what only a journey has.
pub fn column_name(column: Column) -> Option<&'static str> {
    Some(match column {
        Column::Cluster => "cluster",
        Column::Namespace => "namespace",
        Column::Kind => "object_kind",
        Column::Name => "object_name",
        Column::Uid => "object_uid",
        Column::Node => "node",
        Column::User => "user_name",
        Column::Agent => "user_agent",
        Column::Verb => "verb",
        Column::Service => "service",
        Column::SpanName => "name",
        Column::SpanKind => "kind",
        Column::Status => "status",
        Column::StatusMessage => "status_message",
        Column::Duration => "duration_nano",
        Column::TraceId => "trace_id",
        Column::SpanId => "span_id",
        Column::ParentId => "parent_span_id",
        Column::State | Column::Reason | Column::Command | Column::Journey => return None,
    })
}

/// The word for a span's kind, as column `kind` has it.
pub const fn kind_word(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Unspecified => "unspecified",
        SpanKind::Internal => "internal",
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
    }
}

/// The word for how a span ended, as column `status` has it.
pub const fn status_word(code: StatusCode) -> &'static str {
    match code {
        StatusCode::Unset => "unset",
        StatusCode::Ok => "ok",
        StatusCode::Error => "error",
    }
}

/// The field of a map of attributes, as Delta Lake names its parts.
pub(super) fn map_entries(value: DataType) -> Fields {
    [ArrowField::new("key", DataType::Utf8, false), ArrowField::new("value", value, true)].into_iter().collect()
}

pub(super) fn map_field(value: DataType) -> ArrowField {
    ArrowField::new("key_value", DataType::Struct(map_entries(value)), false)
}

fn fields() -> Vec<ArrowField> {
    let map = |value| DataType::Map(Arc::new(map_field(value)), false);
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let must = |name: &str, kind| ArrowField::new(name, kind, false);
    let may = |name: &str, kind| ArrowField::new(name, kind, true);
    vec![
        must("trace_id", DataType::FixedSizeBinary(16)),
        must("span_id", DataType::FixedSizeBinary(8)),
        may("parent_span_id", DataType::FixedSizeBinary(8)),
        must("start_unix_nano", DataType::Int64),
        may("end_unix_nano", DataType::Int64),
        may("duration_nano", DataType::Int64),
        must("name", DataType::Utf8),
        must("kind", DataType::Utf8),
        must("status", DataType::Utf8),
        may("status_message", DataType::Utf8),
        may("service", DataType::Utf8),
        must("scope", DataType::Utf8),
        may("trace_state", DataType::Utf8),
        must("flags", DataType::Int64),
        may("cluster", DataType::Utf8),
        may("namespace", DataType::Utf8),
        may("object_kind", DataType::Utf8),
        may("object_name", DataType::Utf8),
        may("object_uid", DataType::Utf8),
        may("node", DataType::Utf8),
        may("user_name", DataType::Utf8),
        may("user_agent", DataType::Utf8),
        may("verb", DataType::Utf8),
        must("attributes_string", map(DataType::Utf8)),
        must("attributes_int", map(DataType::Int64)),
        must("attributes_double", map(DataType::Float64)),
        must("attributes_bool", map(DataType::Boolean)),
        must("attributes_json", map(DataType::Utf8)),
        must("attributes_order", DataType::Utf8),
        must("resource", dictionary),
        may("events", DataType::Utf8),
        may("links", DataType::Utf8),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_search_by_has_a_column() {
        for column in [Column::Cluster, Column::Kind, Column::Uid, Column::User, Column::SpanName, Column::Duration] {
            let name = column_name(column).expect("a column of spans");
            assert!(schema().column_with_name(name).is_some(), "{name}");
        }
        assert_eq!(column_name(Column::State), None);
    }
}
