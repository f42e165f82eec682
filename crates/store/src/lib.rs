//! The store: what came in is durable before it is acknowledged, and found again.
//!
//! | to | see |
//! |---|---|
//! | use a store, whatever it is made of | [`Store`] |
//! | hand something in | [`Record`], [`Woven`] |
//! | have spans as columns | [`columns`] |
//! | decode OTLP | [`otlp`] |
//! | ask | [`Filter`], [`JourneyQuery`], [`SpanQuery`], [`StatisticsQuery`] |
//! | show somebody what they may read, and nothing else | [`Rights`], [`Filter::Readable`] |
//!
//! The feature `lake` brings the engine, with `DataFusion` and Delta Lake behind it.

mod answer;
pub mod columns;
mod error;
mod filter;
#[cfg(feature = "lake")]
pub mod lake;
pub mod log;
pub mod otlp;
mod query;
mod record;
mod rights;
mod store;

pub use answer::{
    Bucket, Health, Hit, Hits, JourneyDetail, JourneyRow, Kept, Page, Progress, Quantiles, Series, TableHealth,
};
pub use error::{Result, StoreError};
pub use filter::{AttributeScope, Column, Comparison, Field, Filter, Operand};
pub use query::{Cursor, JourneyQuery, RunQuery, SpanQuery, SqlLimits, StatisticsOf, StatisticsQuery, TimeRange};
pub use record::{Checkpoint, Position, Record, Run, Tail, TakenOver, Woven};
pub use rights::{Right, Rights};
pub use store::{Batches, Store};
