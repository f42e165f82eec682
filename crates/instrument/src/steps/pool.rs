//! Sharing of a table between the spans of one call, and its reuse, so that keeping steps does not allocate.

use super::log;
use super::table::{Fields, Table, Threshold};
use crate::attribute::{Attribute, Text};
use crate::sync::lock;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The tables that a thread keeps for its next spans.
const KEPT: usize = 16;

thread_local! {
    static POOL: RefCell<Vec<Arc<Mutex<Table>>>> = const { RefCell::new(Vec::new()) };
}

/// A span's row in the table of its outermost span.
#[derive(Clone)]
pub(crate) struct StepRef {
    table: Arc<Mutex<Table>>,
    row: u32,
}

impl StepRef {
    /// A row below `parent`, or the first row of a table of its own; none when the parent's table is full.
    pub(crate) fn begin(parent: Option<&Self>, name: Text, fields: impl Iterator<Item = Attribute>) -> Option<Self> {
        let fields: Fields = fields.collect();
        if let Some(parent) = parent {
            let row = lock(&parent.table).add(Some(parent.row), name, fields, true)?;
            return Some(Self { table: Arc::clone(&parent.table), row });
        }
        let table = take();
        let row = lock(&table).add(None, name, fields, true)?;
        Some(Self { table, row })
    }

    /// Adds a step: what was done by now.
    pub(crate) fn step(&self, name: Text, fields: impl Iterator<Item = Attribute>) {
        lock(&self.table).add(Some(self.row), name, fields.collect(), false);
    }

    /// Ends the span; the outermost one logs what was slow.
    pub(crate) fn end(self, threshold: Option<Duration>) {
        let threshold = threshold.map_or(Threshold::Never, Threshold::AtLeast);
        let texts = {
            let mut table = lock(&self.table);
            table.end(self.row, threshold);
            if self.row != 0 {
                return;
            }
            let verbose = tracing::enabled!(target: "clew_instrument::steps", tracing::Level::DEBUG);
            log::texts(&table, verbose, || fastrand::u32(..i32::MAX.unsigned_abs()))
        };
        for text in texts {
            tracing::info!(target: "clew_instrument::steps", "{text}");
        }
        put(self.table);
    }
}

fn take() -> Arc<Mutex<Table>> {
    let kept = POOL.try_with(|pool| pool.try_borrow_mut().ok()?.pop()).ok().flatten();
    match kept {
        Some(table) => {
            lock(&table).restart();
            table
        }
        None => Arc::new(Mutex::new(Table::new())),
    }
}

fn put(mut table: Arc<Mutex<Table>>) {
    // A clone that a context still holds may be written to; such a table is not reused.
    if Arc::get_mut(&mut table).is_none() {
        return;
    }
    // The thread may be ending, and then there is nothing to keep it for.
    let _ = POOL.try_with(|pool| {
        if let Ok(mut pool) = pool.try_borrow_mut()
            && pool.len() < KEPT
        {
            pool.push(table);
        }
    });
}
