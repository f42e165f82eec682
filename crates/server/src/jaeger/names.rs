//! The services and what they do.

use std::collections::BTreeSet;

use clew_store::{Column, Comparison, Filter, Operand, Result, StatisticsOf, StatisticsQuery, Store, TimeRange};

/// Names of one answer at most.
const MOST: usize = 10_000;

/// What a service does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Operation {
    /// The name of its spans.
    pub(super) name: String,
    /// Which side of a call they are; `internal` where nobody said.
    pub(super) kind: String,
}

/// The services.
pub(super) async fn services(store: &dyn Store) -> Result<Vec<String>> {
    let names = store.values(&Column::Service.into(), TimeRange::default(), &Filter::All, MOST).await?;
    Ok(names.into_iter().filter(|name| !name.is_empty()).map(String::from).collect())
}

/// What a service does; of one kind, or of all.
pub(super) async fn operations(store: &dyn Store, service: &str, kind: Option<&str>) -> Result<Vec<Operation>> {
    let is = |column: Column, text: &str| Filter::Compare(column.into(), Comparison::Equal, Operand::Text(text.into()));
    let mut filter = vec![is(Column::Service, service)];
    filter.extend(kind.map(|kind| is(Column::SpanKind, kind)));
    let query = StatisticsQuery {
        of: StatisticsOf::Spans,
        range: TimeRange::default(),
        filter: Filter::And(filter),
        by: vec![Column::SpanName.into(), Column::SpanKind.into()],
        bucket: None,
        limit: MOST,
    };
    let operations: BTreeSet<Operation> = store
        .statistics(&query)
        .await?
        .into_iter()
        .filter_map(|series| {
            let mut key = series.key.into_iter();
            let name = String::from(key.next()??);
            let kind = key.next().flatten().filter(|kind| kind != "unspecified");
            Some(Operation { name, kind: kind.map_or_else(|| "internal".to_owned(), String::from) })
        })
        .collect();
    Ok(operations.into_iter().collect())
}
