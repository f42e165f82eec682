//! The resources of a batch: a text for each, a number for each row.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array};
use arrow_schema::ArrowError;
use clew_model::Attributes;
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::json;
use super::promote::Promoted;

/// What a resource tells about its spans.
#[derive(Debug, Default, Clone)]
struct Source {
    service: Option<CompactString>,
    cluster: Option<CompactString>,
    node: Option<CompactString>,
}

/// The dictionary of resources while it grows.
#[derive(Default)]
pub(super) struct Resources {
    places: FxHashMap<Box<str>, i32>,
    /// The same by how they came: nothing has to be read to find them.
    encoded: FxHashMap<Box<[u8]>, i32>,
    sources: Vec<Source>,
    rows: Vec<i32>,
    current: i32,
    last: Option<Arc<Attributes>>,
    scratch: String,
    bytes: usize,
}

impl Resources {
    /// The rows that follow belong to this resource.
    pub(super) fn enter(&mut self, resource: &Arc<Attributes>) {
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, resource)) {
            return;
        }
        self.enter_attributes(resource);
        self.last = Some(Arc::clone(resource));
    }

    /// The same for a resource that came in this form before.
    pub(super) fn enter_known(&mut self, encoded: &[u8]) -> bool {
        let place = self.encoded.get(encoded).copied();
        self.last = None;
        self.current = place.unwrap_or(self.current);
        place.is_some()
    }

    /// The same for a resource that came in this form for the first time.
    pub(super) fn enter_encoded(&mut self, encoded: &[u8], resource: &Attributes) {
        self.enter_attributes(resource);
        self.encoded.insert(encoded.into(), self.current);
        self.bytes += encoded.len();
    }

    fn enter_attributes(&mut self, resource: &Attributes) {
        self.last = None;
        self.scratch.clear();
        json::attributes(&mut self.scratch, resource);
        if let Some(place) = self.places.get(self.scratch.as_str()) {
            self.current = *place;
            return;
        }
        self.current = i32::try_from(self.sources.len()).unwrap_or(i32::MAX);
        self.places.insert(self.scratch.as_str().into(), self.current);
        self.bytes += self.scratch.len();
        let seen = Promoted::of(resource);
        let owned = |text: Option<&str>| text.map(CompactString::from);
        let service = owned(resource.get_str("service.name"));
        self.sources.push(Source { service, cluster: owned(seen.cluster), node: owned(seen.node) });
    }

    /// Ends a row, which belongs to the current resource.
    pub(super) fn end_row(&mut self) {
        self.rows.push(self.current);
    }

    /// The service of the current resource.
    pub(super) fn service(&self) -> Option<&str> {
        self.source().and_then(|source| source.service.as_deref())
    }

    /// The cluster of the current resource.
    pub(super) fn cluster(&self) -> Option<&str> {
        self.source().and_then(|source| source.cluster.as_deref())
    }

    /// The node of the current resource.
    pub(super) fn node(&self) -> Option<&str> {
        self.source().and_then(|source| source.node.as_deref())
    }

    fn source(&self) -> Option<&Source> {
        self.sources.get(usize::try_from(self.current).unwrap_or(usize::MAX))
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.rows.len() * size_of::<i32>()
    }

    /// The column; empty afterwards.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let done = std::mem::take(self);
        let mut texts: Vec<_> = done.places.into_iter().collect();
        texts.sort_unstable_by_key(|(_, place)| *place);
        let mut values = StringBuilder::with_capacity(texts.len(), done.bytes);
        for (text, _) in &texts {
            values.append_value(text);
        }
        let keys = Int32Array::from(done.rows);
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(values.finish()))?))
    }
}
