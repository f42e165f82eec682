//! Attributes and their values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue, KeyValueList};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::view::{Fields, View};

impl Serialize for View<'_, KeyValue> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.0.serialize_entry("key", &self.0.key)?;
        fields.message("value", self.0.value.as_ref())?;
        fields.0.end()
    }
}

/// A value keeps its type also where it is empty or zero.
impl Serialize for View<'_, AnyValue> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.0.value {
            Some(Value::StringValue(text)) => map.serialize_entry("stringValue", text)?,
            Some(Value::BoolValue(is)) => map.serialize_entry("boolValue", is)?,
            Some(Value::IntValue(number)) => map.serialize_entry("intValue", &number.to_string())?,
            Some(Value::DoubleValue(number)) => double(&mut map, *number)?,
            Some(Value::ArrayValue(array)) => map.serialize_entry("arrayValue", &View(array))?,
            Some(Value::KvlistValue(list)) => map.serialize_entry("kvlistValue", &View(list))?,
            Some(Value::BytesValue(bytes)) => map.serialize_entry("bytesValue", &STANDARD.encode(bytes))?,
            // An index into the tables of a profile: there are none in a trace.
            Some(Value::StringValueStrindex(_)) | None => {}
        }
        map.end()
    }
}

/// JSON has no number for what is no finite one: protobuf writes it as text.
fn double<M: SerializeMap>(map: &mut M, number: f64) -> Result<(), M::Error> {
    let text = match number {
        number if number.is_finite() => return map.serialize_entry("doubleValue", &number),
        number if number.is_nan() => "NaN",
        number if number > 0.0 => "Infinity",
        _ => "-Infinity",
    };
    map.serialize_entry("doubleValue", text)
}

impl Serialize for View<'_, ArrayValue> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.list("values", &self.0.values)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, KeyValueList> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.list("values", &self.0.values)?;
        fields.0.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: Value) -> String {
        serde_json::to_string(&View(&AnyValue { value: Some(value) })).expect("JSON")
    }

    #[test]
    fn each_type_of_value_has_its_form() {
        assert_eq!(written(Value::StringValue(String::new())), r#"{"stringValue":""}"#);
        assert_eq!(written(Value::BoolValue(false)), r#"{"boolValue":false}"#);
        assert_eq!(written(Value::IntValue(i64::MIN)), r#"{"intValue":"-9223372036854775808"}"#);
        assert_eq!(written(Value::DoubleValue(0.5)), r#"{"doubleValue":0.5}"#);
        assert_eq!(written(Value::DoubleValue(f64::NEG_INFINITY)), r#"{"doubleValue":"-Infinity"}"#);
        assert_eq!(written(Value::BytesValue(vec![1, 2, 3])), r#"{"bytesValue":"AQID"}"#);
        let list = KeyValueList { values: vec![KeyValue { key: "k".to_owned(), ..KeyValue::default() }] };
        assert_eq!(written(Value::KvlistValue(list)), r#"{"kvlistValue":{"values":[{"key":"k"}]}}"#);
        let array = ArrayValue { values: vec![AnyValue::default()] };
        assert_eq!(written(Value::ArrayValue(array)), r#"{"arrayValue":{"values":[{}]}}"#);
    }
}
