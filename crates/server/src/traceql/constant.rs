//! Values as they are written, as a store and a span have them.

use clew_model::{SpanKind, StatusCode, Value};
use clew_store::Operand as StoreOperand;

use super::ast::Static;

impl Static {
    /// The value as an attribute would hold it; none for nil.
    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Text(text) => Some(Value::Str(text.clone())),
            Self::Int(number) | Self::Duration(number) => Some(Value::Int(*number)),
            Self::Float(number) => Some(Value::Double(*number)),
            Self::Bool(yes) => Some(Value::Bool(*yes)),
            Self::Nil => None,
            Self::Status(code) => Some(Value::from(status_word(*code))),
            Self::Kind(kind) => Some(Value::from(kind_word(*kind))),
        }
    }

    /// The value as a store compares it; none for nil.
    pub(super) fn store_operand(&self) -> Option<StoreOperand> {
        match self {
            Self::Text(text) => Some(StoreOperand::Text(text.clone())),
            Self::Int(number) | Self::Duration(number) => Some(StoreOperand::Int(*number)),
            Self::Float(number) => Some(StoreOperand::Float(*number)),
            Self::Bool(yes) => Some(StoreOperand::Bool(*yes)),
            Self::Nil => None,
            Self::Status(code) => Some(StoreOperand::Text(status_word(*code).into())),
            Self::Kind(kind) => Some(StoreOperand::Text(kind_word(*kind).into())),
        }
    }
}

/// The word for how a span ended.
pub(super) const fn status_word(code: StatusCode) -> &'static str {
    match code {
        StatusCode::Unset => "unset",
        StatusCode::Ok => "ok",
        StatusCode::Error => "error",
    }
}

/// The word for which side of a call a span is.
pub(super) const fn kind_word(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Unspecified => "unspecified",
        SpanKind::Internal => "internal",
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
    }
}
