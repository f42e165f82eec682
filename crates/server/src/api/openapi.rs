//! The document that describes the API to programs.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// The document; a test compares it with the routes.
pub(super) const DOCUMENT: &str = include_str!("openapi.json");

/// The document as it is.
pub(super) async fn show() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::super::routes::table;
    use super::DOCUMENT;
    use crate::parameters::FILTERS;

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).unwrap()
    }

    #[test]
    fn every_route_is_described_and_every_description_is_routed() {
        let document = document();
        let described: BTreeSet<&str> = document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let routed: BTreeSet<&str> = table().into_iter().map(|(path, _)| path).collect();
        assert_eq!(described, routed);
    }

    #[test]
    fn every_filter_is_described() {
        let document = document();
        let described: BTreeSet<&str> = document["components"]["parameters"]
            .as_object()
            .unwrap()
            .values()
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let missing: Vec<_> = FILTERS.iter().filter(|name| !described.contains(*name)).collect();
        assert_eq!(missing, [""; 0].iter().collect::<Vec<_>>());
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn walk(value: &Value, document: &Value) {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').unwrap();
                assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
            }
            match value {
                Value::Object(map) => map.values().for_each(|value| walk(value, document)),
                Value::Array(values) => values.iter().for_each(|value| walk(value, document)),
                _ => {}
            }
        }
        let document = document();
        walk(&document, &document);
    }
}
