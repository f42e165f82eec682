//! Attributes as JSON text, for what has few of them and is rarely searched by them.

use clew_model::{Attributes, Value};
use serde_json::{Map, Number, Value as Json};

use crate::{Result, StoreError};

const BYTES: &str = "$bytes";

/// Attributes as one JSON object.
pub(in crate::lake) fn attributes_to_text(attributes: &Attributes) -> String {
    object(attributes).to_string()
}

/// What [`attributes_to_text`] wrote.
pub(in crate::lake) fn attributes_from_text(text: &str) -> Result<Attributes> {
    let damaged = |reason: String| StoreError::Damaged { file: "attributes".to_owned(), reason };
    match serde_json::from_str(text).map_err(|error| damaged(error.to_string()))? {
        Json::Object(map) => Ok(map.into_iter().map(|(key, json)| (key.into(), value(json))).collect()),
        other => Err(damaged(format!("{other} is no object"))),
    }
}

fn object(attributes: &Attributes) -> Json {
    Json::Object(attributes.iter().map(|(key, value)| (key.to_string(), json(value))).collect())
}

fn json(value: &Value) -> Json {
    match value {
        Value::Str(text) => Json::String(text.to_string()),
        Value::Bool(yes) => Json::Bool(*yes),
        Value::Int(number) => Json::Number((*number).into()),
        Value::Double(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
        Value::Array(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(map) => object(map),
        Value::Bytes(bytes) => {
            let numbers = bytes.iter().map(|byte| Json::Number((*byte).into())).collect();
            Json::Object(Map::from_iter([(BYTES.to_owned(), Json::Array(numbers))]))
        }
    }
}

fn value(json: Json) -> Value {
    match json {
        Json::Null => Value::Double(f64::NAN),
        Json::Bool(yes) => Value::Bool(yes),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Value::Double(number.as_f64().unwrap_or(f64::NAN)), Value::Int)
        }
        Json::String(text) => Value::Str(text.into()),
        Json::Array(values) => Value::Array(values.into_iter().map(value).collect()),
        Json::Object(map) => match map.get(BYTES) {
            Some(Json::Array(bytes)) if map.len() == 1 => {
                let byte = |json: &Json| json.as_u64().and_then(|number| u8::try_from(number).ok());
                Value::Bytes(bytes.iter().filter_map(byte).collect())
            }
            _ => Value::Map(map.into_iter().map(|(key, json)| (key.into(), value(json))).collect()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_survive_as_text() {
        let mut inner = Attributes::new();
        inner.push("deep", 7);
        let mut attributes = Attributes::new();
        attributes.push("text", "x\"y");
        attributes.push("yes", true);
        attributes.push("number", 1.5);
        attributes.push("bytes", Value::Bytes(vec![0, 255]));
        attributes.push("list", Value::Array(vec![Value::Int(i64::MAX), Value::from("a")]));
        attributes.push("map", Value::Map(inner));
        let again = attributes_from_text(&attributes_to_text(&attributes)).unwrap();
        for (key, value) in &attributes {
            assert_eq!(again.get(key), Some(value));
        }
        assert_eq!(again.len(), attributes.len());
    }
}
