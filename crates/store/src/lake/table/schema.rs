//! The columns of the tables, as they lie in the lake and as SQL sees them.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::Table;
use crate::columns;

static SPANS: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(spans())));
static JOURNEYS: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(journeys())));
static EDGES: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(edges())));
static RUNS: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(runs())));

impl Table {
    /// Its columns.
    pub(in crate::lake) fn schema(self) -> SchemaRef {
        Arc::clone(match self {
            Self::Spans => &SPANS,
            Self::Journeys => &JOURNEYS,
            Self::Edges => &EDGES,
            Self::Runs => &RUNS,
        })
    }

    /// The columns that its files have: all but those that name folders.
    pub(in crate::lake) fn file_schema(self) -> SchemaRef {
        let schema = self.schema();
        let fields = schema.fields().iter().filter(|field| !self.partitions().contains(&field.name().as_str()));
        Arc::new(Schema::new(fields.cloned().collect::<Vec<_>>()))
    }

    /// The columns that name its folders.
    pub(in crate::lake) const fn partitions(self) -> &'static [&'static str] {
        match self {
            Self::Spans => &["class", "day"],
            Self::Journeys | Self::Edges | Self::Runs => &["day"],
        }
    }

    /// The columns that its files are sorted by.
    pub(in crate::lake) const fn order(self) -> &'static [&'static str] {
        match self {
            Self::Spans => &["class", "day", "journey_id", "trace_id", "start_unix_nano"],
            Self::Journeys | Self::Runs => &["day", "start_unix_nano"],
            Self::Edges => &["day", "journey_id"],
        }
    }

    /// The columns in which single ids are looked for.
    pub(in crate::lake) const fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Spans => &["journey_id", "trace_id"],
            Self::Journeys => &["journey_id"],
            Self::Edges => &["journey_id", "segment_trace_id"],
            Self::Runs => &["run_id"],
        }
    }
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

fn must(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::Int64, true)
}

fn day() -> Field {
    Field::new("day", DataType::Date32, false)
}

/// Ids are text in lower-case hex, as people read and type them; sorted and compressed they cost what bytes would.
fn spans() -> Vec<Field> {
    let mut fields = vec![must("class"), day(), text("journey_id")];
    fields.extend(columns::schema().fields().iter().map(|field| match field.data_type() {
        DataType::FixedSizeBinary(_) | DataType::Dictionary(..) => {
            Field::new(field.name(), DataType::Utf8, field.is_nullable())
        }
        _ => field.as_ref().clone(),
    }));
    fields
}

fn journeys() -> Vec<Field> {
    let list =
        |name: &str| Field::new(name, DataType::List(Arc::new(Field::new("element", DataType::Utf8, true))), true);
    let mut fields = vec![day(), must("journey_id"), must("cluster")];
    fields.extend(["namespace", "kind", "name", "uid", "user_name", "user_agent", "verb"].map(text));
    fields.extend(["resource", "subresource", "root_kind", "audit_id"].map(text));
    fields.extend(["state", "reason", "message", "command"].map(text));
    fields.extend(["start_unix_nano", "end_unix_nano", "duration_nano", "spans", "errors", "objects"].map(number));
    fields.extend([
        list("object_uids"),
        list("segments"),
        list("rights"),
        text("search"),
        must("journey"),
        must("digest"),
    ]);
    fields
}

fn edges() -> Vec<Field> {
    let mut fields = vec![day(), must("journey_id"), must("cluster")];
    fields.extend(["parent_span_id", "child_span_id", "segment_trace_id", "evidence"].map(text));
    fields
}

fn runs() -> Vec<Field> {
    let mut fields = vec![day(), must("run_id"), must("command"), must("version")];
    fields.extend(["start_unix_nano", "end_unix_nano", "duration_nano"].map(number));
    fields.extend(["status", "status_message", "attributes"].map(text));
    fields
}
