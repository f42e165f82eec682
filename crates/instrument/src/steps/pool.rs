//! Sharing of a table between the spans of one call, and its reuse, so that keeping steps does not allocate.

use super::log;
use super::table::{Content, Label, Table, Threshold};
use super::tree::Node;
use crate::attribute::{Attribute, Text};
use crate::sync::lock;
use crate::trace::Recording;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    /// The row of a span that is not recorded, below `parent` or in a table of its own; none when the table is full.
    pub(crate) fn begin(parent: Option<&Self>, name: Text, fields: impl Iterator<Item = Attribute>) -> Option<Self> {
        let label = Label { name, fields: fields.collect() };
        Self::add(parent, || Content::Span { label, at: Instant::now(), end: None, threshold: Threshold::Never })
    }

    /// The row of a recorded span.
    pub(crate) fn begin_recorded(parent: Option<&Self>, recording: &Arc<Recording>) -> Option<Self> {
        Self::add(parent, || Content::Recorded { recording: Arc::clone(recording), threshold: Threshold::Never })
    }

    fn add(parent: Option<&Self>, content: impl FnOnce() -> Content) -> Option<Self> {
        if let Some(parent) = parent {
            let row = lock(&parent.table).add(Some(parent.row), content)?;
            return Some(Self { table: Arc::clone(&parent.table), row });
        }
        let mut table = take();
        // Nobody else has it yet, so there is nothing to lock.
        let row = own(&mut table)?.add(None, content)?;
        Some(Self { table, row })
    }

    /// Adds a step to a span that is not recorded: what was done by now.
    pub(crate) fn step(&self, name: Text, fields: impl Iterator<Item = Attribute>) {
        let label = Label { name, fields: fields.collect() };
        lock(&self.table).add(Some(self.row), || Content::Step { label, at: Instant::now() });
    }

    /// Ends the span; the outermost one logs what was slow.
    pub(crate) fn end(mut self, threshold: Option<Duration>) {
        let threshold = threshold.map_or(Threshold::Never, Threshold::AtLeast);
        if self.row != 0 {
            return lock(&self.table).end(self.row, threshold);
        }
        if let Some(table) = own(&mut self.table) {
            log_all(finish(table, threshold));
            return keep(self.table);
        }
        // A clone that a context still holds may be written to: such a table is not used again.
        let texts = finish(&mut lock(&self.table), threshold);
        // Without the lock: whoever takes the log may start spans of its own.
        log_all(texts);
    }
}

/// The table, when nobody else has it.
fn own(table: &mut Arc<Mutex<Table>>) -> Option<&mut Table> {
    Some(Arc::get_mut(table)?.get_mut().unwrap_or_else(PoisonError::into_inner))
}

/// Ends the outermost span, empties the table, and gives what is to be logged.
fn finish(table: &mut Table, threshold: Threshold) -> Vec<String> {
    table.end(0, threshold);
    let texts = if table.slow { slow_texts(table) } else { Vec::new() };
    table.clear();
    texts
}

fn log_all(texts: Vec<String>) {
    for text in texts {
        tracing::info!(target: "clew_instrument::steps", "{text}");
    }
}

fn slow_texts(table: &mut Table) -> Vec<String> {
    let verbose = tracing::enabled!(target: "clew_instrument::steps", tracing::Level::DEBUG);
    let number = || fastrand::u32(..i32::MAX.unsigned_abs());
    let root = Node::of(table);
    root.map(|root| log::texts(&root, table.left_out, verbose, number)).unwrap_or_default()
}

fn take() -> Arc<Mutex<Table>> {
    let kept = POOL.try_with(|pool| pool.try_borrow_mut().ok()?.pop()).ok().flatten();
    kept.unwrap_or_default()
}

fn keep(table: Arc<Mutex<Table>>) {
    // The thread may be ending, and then there is nothing to keep it for.
    let _ = POOL.try_with(|pool| {
        if let Ok(mut pool) = pool.try_borrow_mut()
            && pool.len() < KEPT
        {
            pool.push(table);
        }
    });
}
