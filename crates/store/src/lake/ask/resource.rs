//! The function that takes one attribute out of a resource.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::error::Result as DataFusionResult;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};
use serde_json::Value as Json;

/// `resource_attribute(resource, key)`: the value as text, or nothing.
pub(in crate::lake) fn resource_attribute() -> ScalarUDF {
    let take = Arc::new(|arguments: &[ColumnarValue]| take(arguments));
    create_udf("resource_attribute", vec![DataType::Utf8, DataType::Utf8], DataType::Utf8, Volatility::Immutable, take)
}

fn take(arguments: &[ColumnarValue]) -> DataFusionResult<ColumnarValue> {
    let [resources, ColumnarValue::Scalar(ScalarValue::Utf8(Some(key)))] = arguments else {
        return Err(DataFusionError::Plan("resource_attribute takes a resource and one key".to_owned()));
    };
    let scalar = matches!(resources, ColumnarValue::Scalar(_));
    let resources = resources.to_array(1)?;
    let resources = resources.as_string::<i32>();
    let mut values = StringBuilder::new();
    // Neighbours have the same resource: each is read once.
    let mut last: (Option<&str>, Option<String>) = (None, None);
    for resource in resources {
        if last.0 != resource {
            last = (resource, resource.and_then(|resource| value(resource, key)));
        }
        values.append_option(last.1.as_deref());
    }
    let values: ArrayRef = Arc::new(values.finish());
    if scalar && values.len() == 1 {
        return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&values, 0)?));
    }
    Ok(ColumnarValue::Array(values))
}

fn value(resource: &str, key: &str) -> Option<String> {
    text(serde_json::from_str::<Json>(resource).ok()?.get(key)?)
}

fn text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Null => None,
        other => Some(other.to_string()),
    }
}

/// All attributes of a resource, as the function gives them.
pub(in crate::lake) fn attributes_of(resource: &str) -> Vec<(String, String)> {
    let attributes = serde_json::from_str::<serde_json::Map<String, Json>>(resource).unwrap_or_default();
    attributes.into_iter().filter_map(|(key, value)| Some((key, text(&value)?))).collect()
}
