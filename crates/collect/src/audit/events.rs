//! The batches that an audit webhook gets, cut into the events that an audit log has.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct EventList<'a> {
    #[serde(rename = "apiVersion", borrow)]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(borrow)]
    kind: Option<&'a RawValue>,
}

/// The events of an `EventList`, each on one line and with the type that a log's line has.
pub(crate) fn lines_of(body: &[u8]) -> Result<Vec<String>, serde_json::Error> {
    let list: EventList<'_> = serde_json::from_slice(body)?;
    let version = list.api_version.as_deref().unwrap_or("audit.k8s.io/v1");
    list.items.iter().map(|item| line_of(item.get(), version)).collect()
}

fn line_of(item: &str, version: &str) -> Result<String, serde_json::Error> {
    // In JSON a line end can only stand between two tokens, never inside a string.
    let item = item.replace(['\n', '\r'], " ");
    let typed: Typed<'_> = serde_json::from_str(&item)?;
    if typed.kind.is_some() {
        return Ok(item);
    }
    let version = serde_json::to_string(version)?;
    let members = item.trim_start_matches('{').trim_start();
    let comma = if members.starts_with('}') { "" } else { "," };
    Ok(format!(r#"{{"kind":"Event","apiVersion":{version}{comma}{members}"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_get_the_type_that_the_list_left_out() {
        let body = br#"{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[
            {"level":"Metadata",
             "auditID":"1"},{"kind":"Event","auditID":"2"},{}]}"#;
        let lines = lines_of(body).expect("a list");
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with(r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","#));
        assert!(!lines[0].contains('\n'));
        assert_eq!(lines[1], r#"{"kind":"Event","auditID":"2"}"#);
        assert_eq!(lines[2], r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1"}"#);
        for line in lines {
            serde_json::from_str::<serde_json::Value>(&line).expect("JSON");
        }
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for body in ["", "[]", "{}", r#"{"items":[1]}"#, r#"{"items":"x"}"#] {
            assert!(lines_of(body.as_bytes()).is_err(), "{body}");
        }
    }
}
