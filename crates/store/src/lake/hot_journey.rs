//! A journey in memory, as rows of its tables.

use std::time::Instant;

use clew_model::{Span, StatusCode, TraceId};
use clew_weave::{Edge, Journey, State};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};

use super::fault::damaged;
use super::shelf::{Place, Shelf};
use super::table::{JourneyFacts, edges_of, journey_row, woven_rows};
use crate::{Result, StoreError};

/// A journey in memory.
#[derive(Debug)]
pub(super) struct HotJourney {
    /// Where its rows lie.
    pub(super) place: Place,
    /// The native traces that belong to it.
    pub(super) segments: Vec<TraceId>,
    /// Whether it may go on.
    pub(super) open: bool,
    /// When it last changed.
    pub(super) changed: Instant,
    /// A hash of all of it.
    pub(super) digest: u64,
    /// Bytes of memory, about.
    pub(super) bytes: usize,
}

impl HotJourney {
    /// Makes rows of a journey.
    pub(super) fn new(cluster: &str, journey: &Journey, spans: &[Span], edges: &[Edge]) -> Result<Self> {
        let json = serde_json::to_string(journey).map_err(|error| StoreError::Io {
            doing: "make",
            what: "rows".to_owned(),
            reason: error.to_string(),
        })?;
        let errors = spans.iter().filter(|span| span.status.code == StatusCode::Error).count() as u64;
        let spans = woven_rows(journey.journey, spans)?;
        let edges = edges_of(cluster, journey.start, edges)?;
        let digest = digest(cluster, &json, &[&spans, &edges]);
        let facts = JourneyFacts { cluster, errors, digest: &format!("{digest:016x}"), json: &json };
        let place = Shelf::of_one(journey.journey, journey_row(journey, &facts)?, spans, edges);
        Ok(Self {
            bytes: place.bytes(),
            place,
            segments: journey.segments.clone(),
            open: journey.state == State::Open,
            changed: Instant::now(),
            digest,
        })
    }

    /// Takes rows that were kept; the row of `journeys` says the rest.
    pub(super) fn from_rows(row: &RecordBatch, spans: RecordBatch, edges: RecordBatch) -> Result<(TraceId, Self)> {
        let wrong = || damaged("the checkpoint", "a journey of it is none");
        let text = |name: &str| row.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
        let [Some(ids), Some(states), Some(digests)] = ["journey_id", "state", "digest"].map(text) else {
            return Err(wrong());
        };
        let segments = row.column_by_name("segments").and_then(|column| column.as_list_opt::<i32>());
        let Some(segments) = segments else { return Err(wrong()) };
        if row.num_rows() != 1 {
            return Err(wrong());
        }
        let segments = segments.value(0);
        let segments = segments.as_string_opt::<i32>().into_iter().flatten().flatten();
        let id = ids.value(0).parse().map_err(|_| wrong())?;
        let place = Shelf::of_one(id, row.clone(), spans, edges);
        let journey = Self {
            bytes: place.bytes(),
            segments: segments.filter_map(|id| id.parse().ok()).collect(),
            open: states.value(0) == "open",
            changed: Instant::now(),
            digest: u64::from_str_radix(digests.value(0), 16).map_err(|_| wrong())?,
            place,
        };
        Ok((id, journey))
    }
}

/// The same journey with the same spans and edges has the same digest in every process.
fn digest(cluster: &str, json: &str, rows: &[&RecordBatch]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(cluster.as_bytes()).update(json.as_bytes());
    for array in rows.iter().flat_map(|rows| rows.columns()) {
        add(&array.to_data(), &mut hasher);
    }
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

fn add(data: &datafusion::arrow::array::ArrayData, hasher: &mut blake3::Hasher) {
    if let Some(nulls) = data.nulls() {
        hasher.update(nulls.validity());
    }
    for buffer in data.buffers() {
        hasher.update(buffer.as_slice());
    }
    for child in data.child_data() {
        add(child, hasher);
    }
}
