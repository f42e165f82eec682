//! The words of clew as types: ids, spans, object references, W3C context, annotations.
//!
//! Pure: nothing here does I/O, reads a clock or draws a random number.
