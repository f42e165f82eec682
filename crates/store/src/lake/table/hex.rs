//! Ids as the text that people read.

use std::sync::Arc;

use datafusion::arrow::array::builder::StringBuilder;
use datafusion::arrow::array::{Array, ArrayRef, FixedSizeBinaryArray};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Bytes as lower-case hex.
pub(super) fn encode(ids: &FixedSizeBinaryArray) -> ArrayRef {
    let width = usize::try_from(ids.value_length()).unwrap_or(0) * 2;
    let mut texts = StringBuilder::with_capacity(ids.len(), ids.len() * width);
    let mut text = String::with_capacity(width);
    for row in 0..ids.len() {
        if ids.is_null(row) {
            texts.append_null();
            continue;
        }
        text.clear();
        for byte in ids.value(row) {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        texts.append_value(&text);
    }
    Arc::new(texts.finish())
}
