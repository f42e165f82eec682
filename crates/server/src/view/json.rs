//! Attributes as plain JSON.

use std::fmt::Write;

use clew_model::{Attributes, Value};
use serde_json::{Map, Value as Json};

/// The attributes as one object; of two with one key the first counts.
pub(crate) fn attributes(attributes: &Attributes) -> Map<String, Json> {
    let mut map = Map::with_capacity(attributes.len());
    for (name, value) in attributes {
        map.entry(name.as_str()).or_insert_with(|| json(value));
    }
    map
}

fn json(value: &Value) -> Json {
    match value {
        Value::Str(text) => Json::from(text.as_str()),
        Value::Bool(flag) => Json::from(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Double(number) => Json::from(*number),
        Value::Bytes(bytes) => Json::from(hex(bytes)),
        Value::Array(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(map) => Json::Object(attributes(map)),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
