//! Ids between bytes and the text that people read.

use std::sync::Arc;

use datafusion::arrow::array::builder::{FixedSizeBinaryBuilder, StringBuilder};
use datafusion::arrow::array::{Array, ArrayRef, FixedSizeBinaryArray, StringArray};
use datafusion::arrow::error::ArrowError;

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

/// Hex as bytes of this width; what is not such hex is refused.
pub(super) fn decode(texts: &StringArray, width: i32) -> Result<ArrayRef, ArrowError> {
    let mut ids = FixedSizeBinaryBuilder::with_capacity(texts.len(), width);
    let mut bytes = Vec::new();
    for text in texts {
        let Some(text) = text else {
            ids.append_null();
            continue;
        };
        bytes.clear();
        for pair in text.as_bytes().chunks(2) {
            let (Some(high), Some(low)) = (nibble(pair.first()), nibble(pair.get(1))) else {
                return Err(ArrowError::CastError(format!("{text} is no id")));
            };
            bytes.push(high << 4 | low);
        }
        ids.append_value(&bytes)?;
    }
    Ok(Arc::new(ids.finish()))
}

fn nibble(digit: Option<&u8>) -> Option<u8> {
    let digit = char::from(*digit?).to_digit(16)?;
    u8::try_from(digit).ok()
}
