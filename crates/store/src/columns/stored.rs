//! Columns that tables have otherwise than memory: ids as hex, and resources as text rather than a dictionary of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, FixedSizeBinaryArray, StringArray};
use clew_model::{Attributes, SpanId, TraceId};
use rustc_hash::FxHashMap;

use super::parse;
use super::read::damaged;
use crate::Result;

/// A column of ids.
pub(super) enum Ids<'a> {
    /// Of memory.
    Bytes(&'a FixedSizeBinaryArray),
    /// Of a table.
    Hex(&'a StringArray),
}

impl<'a> Ids<'a> {
    pub(super) fn of(column: &'a ArrayRef) -> Option<Self> {
        let hex = column.as_string_opt().map(Self::Hex);
        hex.or_else(|| column.as_fixed_size_binary_opt().map(Self::Bytes))
    }

    pub(super) fn trace(&self, row: usize) -> Result<TraceId> {
        match self {
            Self::Bytes(ids) => Ok(TraceId::from_slice(ids.value(row)).unwrap_or(TraceId::INVALID)),
            Self::Hex(texts) => TraceId::parse_lenient(texts.value(row)).map_err(|error| damaged(error.to_string())),
        }
    }

    /// The id of a span; none where there is none.
    pub(super) fn span(&self, row: usize) -> Result<Option<SpanId>> {
        match self {
            Self::Bytes(ids) => Ok(if ids.is_valid(row) { SpanId::from_slice(ids.value(row)) } else { None }),
            Self::Hex(texts) if texts.is_null(row) => Ok(None),
            Self::Hex(texts) => {
                SpanId::parse_lenient(texts.value(row)).map(Some).map_err(|error| damaged(error.to_string()))
            }
        }
    }
}

/// The column of resources; each is read once.
pub(super) enum Resources<'a> {
    /// Of memory, with what was read of each text.
    Dictionary(&'a DictionaryArray<Int32Type>, &'a StringArray, Vec<Option<Arc<Attributes>>>),
    /// Of a table, with what was read.
    Texts(&'a StringArray, FxHashMap<&'a str, Arc<Attributes>>),
}

impl<'a> Resources<'a> {
    pub(super) fn of(column: &'a ArrayRef) -> Option<Self> {
        if let Some(texts) = column.as_string_opt() {
            return Some(Self::Texts(texts, FxHashMap::default()));
        }
        let dictionary = column.as_dictionary_opt::<Int32Type>()?;
        let texts = dictionary.values().as_string_opt()?;
        Some(Self::Dictionary(dictionary, texts, vec![None; texts.len()]))
    }

    pub(super) fn at(&mut self, row: usize) -> Result<Arc<Attributes>> {
        let missing = || damaged(format!("row {row} has no resource"));
        match self {
            Self::Dictionary(dictionary, texts, read) => {
                let place = dictionary.key(row).filter(|place| *place < read.len()).ok_or_else(missing)?;
                if let Some(known) = &read[place] {
                    return Ok(Arc::clone(known));
                }
                let attributes = parsed(texts.value(place))?;
                read[place] = Some(Arc::clone(&attributes));
                Ok(attributes)
            }
            Self::Texts(texts, _) if texts.is_null(row) => Err(missing()),
            Self::Texts(texts, read) => {
                let text = texts.value(row);
                if let Some(known) = read.get(text) {
                    return Ok(Arc::clone(known));
                }
                let attributes = parsed(text)?;
                read.insert(text, Arc::clone(&attributes));
                Ok(attributes)
            }
        }
    }
}

fn parsed(text: &str) -> Result<Arc<Attributes>> {
    parse::attributes(text).map(Arc::new)
}
