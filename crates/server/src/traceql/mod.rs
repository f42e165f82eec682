//! `TraceQL`, the part of it that people use: text into a tree, a tree into a store's filter, and what only a whole
//! trace can tell decided here. Pure: no store, no clock.
//!
//! | to | see |
//! |---|---|
//! | read a query | [`parse`], [`Query`] |
//! | know which spans a store must look for | [`candidates`] |
//! | know which spans of a trace are meant | [`Evaluator`], [`TraceView`] |

mod ast;
mod candidates;
mod constant;
mod display;
mod error;
mod evaluate;
mod lexer;
mod number;
mod parse;
mod pipeline;
mod regexes;
mod relation;
mod text;
mod token;
mod tree;
mod value;
mod words;

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;

pub use ast::{
    Aggregate, Combine, Expression, FieldName, Intrinsic, Metrics, MetricsFunction, Mode, Operand, Query, Relation,
    Scope, Spansets, Stage, Static,
};
pub use candidates::{Candidates, candidates, field_of};
pub use error::TraceqlError;
pub use number::duration_nanos;
pub use parse::parse;
pub use pipeline::{Evaluator, Group};
pub use tree::TraceView;
pub use value::resolve;
