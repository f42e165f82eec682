//! Where the rows of journeys lie in memory: many journeys together, since a row that is an array of its own takes ten times
//! what its values do.

use std::ops::Range;
use std::sync::Arc;

use clew_model::TraceId;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use rustc_hash::FxHashSet;

use super::fault::broken;
use super::hot::Hot;
use super::table::Table;
use crate::Result;

/// So many journeys lie alone before they are laid together.
const LOOSE: usize = 64;

/// A journey with so many spans takes little more than its values; copying it would take longer than it saves.
const LARGE: usize = 512;

/// What a column takes beside its values, measured: with few rows it is the larger part.
const COLUMN: usize = 320;

/// The rows of some journeys.
#[derive(Debug)]
pub(super) struct Shelf {
    journeys: RecordBatch,
    spans: RecordBatch,
    edges: RecordBatch,
    /// Whose they are; some may be out of date.
    ids: Vec<TraceId>,
}

/// One journey's place on a shelf. There is one of them for each journey that is not out of date.
#[derive(Debug)]
pub(super) struct Place {
    shelf: Arc<Shelf>,
    row: usize,
    spans: Range<usize>,
    edges: Range<usize>,
}

impl Shelf {
    /// Rows that all are of one journey.
    pub(super) fn of_one(id: TraceId, row: RecordBatch, spans: RecordBatch, edges: RecordBatch) -> Place {
        let (of_spans, of_edges) = (0..spans.num_rows(), 0..edges.num_rows());
        let shelf = Arc::new(Self { journeys: row, spans, edges, ids: vec![id] });
        Place { shelf, row: 0, spans: of_spans, edges: of_edges }
    }

    fn of(&self, table: Table) -> &RecordBatch {
        match table {
            Table::Spans => &self.spans,
            Table::Edges => &self.edges,
            Table::Journeys | Table::Runs => &self.journeys,
        }
    }

    /// Bytes of memory, about.
    fn bytes(&self) -> usize {
        let bytes = |rows: &RecordBatch| rows.get_array_memory_size() + rows.num_columns() * COLUMN;
        [&self.journeys, &self.spans, &self.edges].map(bytes).iter().sum()
    }
}

impl Place {
    /// The journey's rows of a table.
    pub(super) fn rows(&self, table: Table) -> RecordBatch {
        let range = self.range(table);
        self.shelf.of(table).slice(range.start, range.len())
    }

    /// How many these are.
    pub(super) fn count(&self, table: Table) -> usize {
        self.range(table).len()
    }

    /// Its share of the shelf's bytes.
    pub(super) fn bytes(&self) -> usize {
        self.shelf.bytes() / self.shelf.ids.len().max(1)
    }

    fn range(&self, table: Table) -> Range<usize> {
        match table {
            Table::Spans => self.spans.clone(),
            Table::Edges => self.edges.clone(),
            Table::Journeys | Table::Runs => self.row..self.row + 1,
        }
    }

    /// Whether nothing on the shelf is out of date: each journey that is not holds its place.
    fn is_on_a_full_shelf(&self) -> bool {
        Arc::strong_count(&self.shelf) == self.shelf.ids.len()
    }
}

impl Hot {
    /// The rows of all journeys; a shelf on which nothing is out of date is given whole.
    pub(super) fn journey_rows(&self, table: Table) -> Vec<RecordBatch> {
        let (mut given, mut all) = (FxHashSet::default(), Vec::new());
        for journey in self.journeys.values() {
            let place = &journey.place;
            if !place.is_on_a_full_shelf() {
                all.push(place.rows(table));
            } else if given.insert(Arc::as_ptr(&place.shelf)) {
                all.push(place.shelf.of(table).clone());
            }
        }
        all
    }

    /// A journey lies alone; a large one stays so.
    pub(super) fn lies_alone(&mut self, id: TraceId) {
        if self.journeys.get(&id).is_none_or(|journey| journey.place.spans.len() >= LARGE) {
            return;
        }
        self.loose.insert(id);
        if self.loose.len() >= LOOSE {
            // It only saves memory: what cannot be laid together stays where it is.
            let _ = self.lay_together();
        }
    }

    /// A journey left its place; those that it leaves behind are laid elsewhere once they are half of the shelf or less.
    pub(super) fn left(&mut self, place: Place) {
        let Place { shelf, .. } = place;
        // One of those that count is held here.
        let rest = Arc::strong_count(&shelf) - 1;
        if rest * 2 > shelf.ids.len() {
            return;
        }
        for id in &shelf.ids {
            if self.journeys.get(id).is_some_and(|journey| Arc::ptr_eq(&journey.place.shelf, &shelf)) {
                self.loose.insert(*id);
            }
        }
    }

    fn lay_together(&mut self) -> Result<()> {
        let loose = std::mem::take(&mut self.loose);
        let ids: Vec<TraceId> = loose.into_iter().filter(|id| self.journeys.contains_key(id)).collect();
        let places: Vec<&Place> = ids.iter().map(|id| &self.journeys[id].place).collect();
        let Some(first) = places.first() else { return Ok(()) };
        let together = |table| {
            let schema = first.shelf.of(table).schema();
            concat_batches(&schema, &places.iter().map(|place| place.rows(table)).collect::<Vec<_>>())
                .map_err(|error| broken(&error))
        };
        let [journeys, spans, edges] = [together(Table::Journeys)?, together(Table::Spans)?, together(Table::Edges)?];
        let full = Arc::new(Shelf { journeys, spans, edges, ids });
        let share = full.bytes() / full.ids.len();
        let (mut span, mut edge) = (0, 0);
        for (row, id) in full.ids.iter().enumerate() {
            let Some(journey) = self.journeys.get_mut(id) else { continue };
            let old = &journey.place;
            let (spans, edges) = (span..span + old.spans.len(), edge..edge + old.edges.len());
            (span, edge) = (spans.end, edges.end);
            journey.place = Place { shelf: Arc::clone(&full), row, spans, edges };
            self.bytes = self.bytes - journey.bytes + share;
            journey.bytes = share;
        }
        Ok(())
    }
}
