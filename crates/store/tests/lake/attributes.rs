//! Spans are found by any attribute, and row groups that cannot have it are not read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use clew_store::lake::{Lake, Options, Retention};
use clew_store::{AttributeScope, Column, Comparison, Field, Filter, Operand, Record, SpanQuery, Store as _};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span as Wire};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::RowGroupMetaData;
use prost::Message as _;

use crate::support::{BEGIN, SECOND, double, int, options, parquet, text};

const FILES: u64 = 4;
const SPANS: u64 = 50;

fn id(file: u64, span: u64) -> u64 {
    file * 1000 + span + 1
}

/// The spans of one file: texts, numbers and a resource that only it has, and some that all have.
fn records(file: u64) -> Vec<Record> {
    let attributes = |span: u64| -> Vec<KeyValue> {
        let number = i64::try_from(id(file, span)).unwrap();
        vec![
            text("request", &format!("request-{number}")),
            text("url", "/same"),
            int("size", number),
            double("share", f64::from(i32::try_from(number).unwrap()) / 8.0),
        ]
    };
    let span = |span: u64| Wire {
        trace_id: u128::from(file + 1).to_be_bytes().to_vec(),
        span_id: id(file, span).to_be_bytes().to_vec(),
        // In an order in which the names of each file lie between those of every other.
        name: format!("{span}-{file}"),
        start_time_unix_nano: u64::try_from(BEGIN + SECOND).unwrap() + id(file, span),
        attributes: attributes(span),
        ..Wire::default()
    };
    let of_resource = vec![text("pod", &format!("pod-{file}")), int("shard", i64::try_from(file).unwrap() + 70)];
    let resource = Resource { attributes: of_resource, ..Resource::default() };
    let scope_spans = vec![ScopeSpans { spans: (0..SPANS).map(span).collect(), ..ScopeSpans::default() }];
    let resource_spans = vec![ResourceSpans { resource: Some(resource), scope_spans, ..ResourceSpans::default() }];
    vec![Record::Spans(ExportTraceServiceRequest { resource_spans }.encode_to_vec().into())]
}

fn is(scope: AttributeScope, key: &str, value: Operand) -> Filter {
    Filter::Compare(Field::Attribute(scope, key.into()), Comparison::Equal, value)
}

fn told(text: &str) -> Operand {
    Operand::Text(text.into())
}

async fn found(lake: &Lake, filter: &Filter) -> clew_store::Result<BTreeSet<u64>> {
    let spans = lake.spans(&SpanQuery { filter: filter.clone(), limit: 1000, ..SpanQuery::default() }).await?;
    Ok(spans.iter().map(|span| u64::from_be_bytes(span.span_id.to_bytes())).collect())
}

/// Every way to ask for an attribute, and whom it means.
async fn each_is_found(lake: &Lake) {
    use AttributeScope::{Any, Resource, Span};
    let all = || (0..FILES).flat_map(|file| (0..SPANS).map(move |span| id(file, span)));
    let only = |ids: &[u64]| ids.iter().copied().collect::<BTreeSet<u64>>();
    let of_file = |file: u64| (0..SPANS).map(|span| id(file, span)).collect::<BTreeSet<u64>>();
    let request = |scope| is(scope, "request", told("request-2008"));
    let cases: Vec<(Filter, BTreeSet<u64>)> = vec![
        (request(Span), only(&[2008])),
        (request(Any), only(&[2008])),
        (request(Resource), only(&[])),
        (is(Any, "url", told("/same")), all().collect()),
        (is(Any, "url", told("request-2008")), only(&[])),
        (is(Any, "request", told("request-9999")), only(&[])),
        (is(Span, "size", Operand::Int(1003)), only(&[1003])),
        (is(Any, "size", Operand::Float(1003.0)), only(&[1003])),
        (is(Span, "share", Operand::Float(125.5)), only(&[1004])),
        (is(Any, "share", Operand::Int(126)), only(&[1008])),
        (is(Resource, "pod", told("pod-3")), of_file(3)),
        (is(Any, "pod", told("pod-3")), of_file(3)),
        (is(Span, "pod", told("pod-3")), only(&[])),
        (is(Any, "shard", Operand::Int(72)), of_file(2)),
        (is(Any, "shard", told("72")), of_file(2)),
        (is(Any, "shard", Operand::Int(79)), only(&[])),
        (Filter::Or(vec![request(Any), is(Any, "size", Operand::Int(1))]), only(&[1, 2008])),
        (Filter::And(vec![request(Any), is(Any, "size", Operand::Int(1))]), only(&[])),
        (Filter::And(vec![request(Any), is(Any, "pod", told("pod-2"))]), only(&[2008])),
        (Filter::Not(Box::new(request(Any))), all().filter(|id| *id != 2008).collect()),
    ];
    for (filter, expected) in cases {
        assert_eq!(found(lake, &filter).await.unwrap(), expected, "{filter:?}");
    }
}

async fn filled(folder: &Path) -> Lake {
    let lake = Lake::open(Options { retention: Retention::FOREVER, ..options(folder) }).await.unwrap();
    for file in 0..FILES {
        lake.append(records(file)).await.unwrap();
        lake.flush().await.unwrap();
    }
    lake
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_is_found_by_any_attribute_in_memory_in_files_and_in_merged_ones() {
    let folder = tempfile::tempdir().unwrap();
    let recent = Lake::open(options(&folder.path().join("recent"))).await.unwrap();
    for file in 0..FILES {
        recent.append(records(file)).await.unwrap();
    }
    each_is_found(&recent).await;
    let lake = filled(&folder.path().join("old")).await;
    each_is_found(&lake).await;
    lake.compact(|_| {}).await.unwrap();
    each_is_found(&lake).await;
}

/// Overwrites every column of a file but that of the resources.
fn damage(path: &Path) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let mut file = File::options().write(true).open(path).unwrap();
    for column in reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
        if column.column_path().string() != "resource" {
            let (start, length) = column.byte_range();
            file.seek(SeekFrom::Start(start)).unwrap();
            file.write_all(&vec![0; length as usize]).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_have_an_attribute_is_not_read() {
    use AttributeScope::{Any, Resource};
    let folder = tempfile::tempdir().unwrap();
    let mut known_rows = options(folder.path());
    known_rows.limits.known_rows = 2 * SPANS as usize;
    let lake = filled(folder.path()).await;
    lake.close().await.unwrap();
    drop(lake);
    // No column of one file can be read any more; what is said about them, and its resources, can.
    let files = parquet(&folder.path().join("tables/spans"));
    assert_eq!(files.len() as u64, FILES);
    let has = |path: &&std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(5).any(|window| window == b"pod-1")
    };
    let damaged: Vec<_> = files.iter().filter(has).collect();
    assert_eq!(damaged.len(), 1, "the resource of a file stands in it as it is");
    damage(damaged[0]);
    for options in [options(folder.path()), known_rows] {
        let lake = Lake::open(options).await.unwrap();
        for file in [0, 2, 3] {
            let number = id(file, 7);
            let request = is(Any, "request", told(&format!("request-{number}")));
            assert_eq!(found(&lake, &request).await.unwrap(), BTreeSet::from([number]), "file {file}");
            let pod = is(Resource, "pod", told(&format!("pod-{file}")));
            assert_eq!(found(&lake, &pod).await.unwrap().len() as u64, SPANS, "file {file}");
        }
        // A common attribute rules no file out, but the filters of names still do.
        let name = Filter::Compare(Field::Column(Column::SpanName), Comparison::Equal, told("25-0"));
        let both = Filter::And(vec![name, is(Any, "url", told("/same"))]);
        assert_eq!(found(&lake, &both).await.unwrap(), BTreeSet::from([id(0, 25)]));
        let request = is(Any, "request", told(&format!("request-{}", id(1, 7))));
        assert!(found(&lake, &request).await.is_err(), "the rows that may have it are damaged");
    }
}
