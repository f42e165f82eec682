//! How Parquet files are written.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::table::Table;

/// Small row groups and pages, since one journey is a narrow range of a sorted file.
const ROW_GROUP: usize = 128 << 10;
pub(super) const PAGE_ROWS: usize = 2 << 10;
/// How often a filter takes an id for one that it has: a search looks for dozens of ids in hundreds of files.
const FALSE_FINDS: f64 = 0.001;

/// Columns of spans that are compared with something; the least and the greatest of the others would be of no use.
const SEARCHED: [&str; 20] = [
    "journey_id",
    "trace_id",
    "parent_span_id",
    "start_unix_nano",
    "end_unix_nano",
    "duration_nano",
    "name",
    "kind",
    "status",
    "service",
    "cluster",
    "namespace",
    "object_kind",
    "object_name",
    "object_uid",
    "node",
    "user_name",
    "user_agent",
    "verb",
    "span_id",
];

/// Columns of spans whose values are few, or packed as bits already: zstd makes them no smaller, and each page of each
/// column would cost a turn of it.
const SMALL: [&str; 14] = [
    "journey_id",
    "start_unix_nano",
    "end_unix_nano",
    "duration_nano",
    "kind",
    "status",
    "service",
    "scope",
    "trace_state",
    "flags",
    "cluster",
    "namespace",
    "object_kind",
    "verb",
];

/// Columns of spans in which people look for what is rare; where it is not at all, nothing is read.
const RARE: [&str; 4] = ["name", "object_name", "object_uid", "user_name"];

/// The maps of attributes in whose values people look for what is rare, by the names of Parquet.
pub(super) const VALUES: [[&str; 3]; 3] = [
    ["attributes_string", "key_value", "value"],
    ["attributes_int", "key_value", "value"],
    ["attributes_double", "key_value", "value"],
];

/// zstd, statistics for each page, and bloom filters on the columns in which ids, and what is rare, are looked for.
pub(super) fn writer_properties(table: Table, rows: usize) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_created_by("clew".to_owned());
    let distinct = rows.clamp(64, ROW_GROUP) as u64;
    let mut filtered: Vec<ColumnPath> = table.ids().iter().map(|column| ColumnPath::from(*column)).collect();
    if table == Table::Spans {
        filtered.extend(RARE.map(ColumnPath::from));
        filtered.extend(VALUES.map(|path| ColumnPath::new(path.map(str::to_owned).to_vec())));
    }
    for path in filtered {
        builder = builder
            .set_column_bloom_filter_enabled(path.clone(), true)
            .set_column_bloom_filter_fpp(path.clone(), FALSE_FINDS)
            .set_column_bloom_filter_max_ndv(path, distinct);
    }
    if table == Table::Spans {
        builder = builder.set_statistics_enabled(EnabledStatistics::None);
        for column in SEARCHED {
            builder = builder.set_column_statistics_enabled(ColumnPath::from(column), EnabledStatistics::Page);
        }
        for column in SMALL {
            builder = builder.set_column_compression(ColumnPath::from(column), Compression::UNCOMPRESSED);
        }
        // Ids that never repeat gain nothing from a dictionary; times are close to their neighbours.
        builder = builder.set_column_dictionary_enabled(ColumnPath::from("span_id"), false);
        for column in ["start_unix_nano", "end_unix_nano", "duration_nano"] {
            let path = ColumnPath::from(column);
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    builder.build()
}
