//! What a change changed, field by field.

use serde_json::{Map, Value};

use crate::output::FieldDiff;

/// How many fields of one change are told.
pub(crate) const MAX_FIELDS: usize = 32;
/// How long a value may be.
const MAX_VALUE: usize = 160;
/// How much of what two long values share is told before the place where they differ.
const LEAD: usize = 24;
/// How deep fields are told apart.
const MAX_DEPTH: usize = 48;

/// The fields in which two bodies differ; a body that is not there counts as empty.
pub(crate) fn between(before: Option<&str>, after: Option<&str>) -> Vec<FieldDiff> {
    let parse = |text: Option<&str>| text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
    let mut diff = Diff { fields: Vec::new() };
    diff.values(&mut String::new(), &parse(before), &parse(after), 0);
    diff.fields
}

struct Diff {
    fields: Vec<FieldDiff>,
}

impl Diff {
    fn values(&mut self, path: &mut String, before: &Value, after: &Value, depth: usize) {
        if before == after || self.fields.len() >= MAX_FIELDS {
            return;
        }
        match (before, after) {
            (Value::Object(before), Value::Object(after)) if depth < MAX_DEPTH => self.maps(path, before, after, depth),
            (Value::Array(before), Value::Array(after)) if depth < MAX_DEPTH => self.lists(path, before, after, depth),
            (Value::Null, Value::Array(after)) if after.iter().all(is_pair) => self.lists(path, &[], after, depth),
            (Value::Array(before), Value::Null) if before.iter().all(is_pair) => self.lists(path, before, &[], depth),
            _ => {
                let (before, after) = shown(before, after);
                self.fields.push(FieldDiff { path: path.clone(), before, after });
            }
        }
    }

    fn maps(&mut self, path: &mut String, before: &Map<String, Value>, after: &Map<String, Value>, depth: usize) {
        let added = after.keys().filter(|key| !before.contains_key(*key));
        for key in before.keys().chain(added) {
            let (one, other) = (before.get(key).unwrap_or(&Value::Null), after.get(key).unwrap_or(&Value::Null));
            let step = if key.contains(['.', '/']) { format!("[{key}]") } else { format!(".{key}") };
            let step = if path.is_empty() { step.trim_start_matches('.') } else { &step };
            self.within(path, step, one, other, depth);
        }
    }

    /// Lists of things with names are compared by name, unless every name kept its place.
    fn lists(&mut self, path: &mut String, before: &[Value], after: &[Value], depth: usize) {
        let (Some(old), Some(new)) = (names(before), names(after)) else {
            return self.by_place(path, before, after, depth);
        };
        let plain = before.iter().chain(after).all(is_pair);
        if old == new && !plain {
            return self.by_place(path, before, after, depth);
        }
        let added = new.iter().filter(|name| !old.contains(name));
        for name in old.iter().chain(added) {
            let find = |list: &[Value], names: &[&str]| {
                let at = names.iter().position(|other| other == name);
                at.map_or(Value::Null, |at| value_of(&list[at]))
            };
            self.within(path, &format!("[{name}]"), &find(before, &old), &find(after, &new), depth);
        }
    }

    fn by_place(&mut self, path: &mut String, before: &[Value], after: &[Value], depth: usize) {
        for at in 0..before.len().max(after.len()) {
            let (one, other) = (before.get(at).unwrap_or(&Value::Null), after.get(at).unwrap_or(&Value::Null));
            self.within(path, &format!("[{at}]"), one, other, depth);
        }
    }

    fn within(&mut self, path: &mut String, step: &str, before: &Value, after: &Value, depth: usize) {
        let length = path.len();
        path.push_str(step);
        self.values(path, before, after, depth + 1);
        path.truncate(length);
    }
}

fn names(list: &[Value]) -> Option<Vec<&str>> {
    list.iter().map(name).collect()
}

fn name(value: &Value) -> Option<&str> {
    value.get("name")?.as_str()
}

/// Whether a thing has only a name and a value, as an environment variable has.
fn is_pair(value: &Value) -> bool {
    value.as_object().is_some_and(|map| map.keys().all(|key| key == "name" || key == "value"))
}

/// The value of a pair, or else the thing itself.
fn value_of(value: &Value) -> Value {
    if is_pair(value) { value.get("value").cloned().unwrap_or_default() } else { value.clone() }
}

/// Both values as text. Long ones begin shortly before the place where they differ.
fn shown(before: &Value, after: &Value) -> (Option<String>, Option<String>) {
    let (before, after) = (text(before), text(after));
    let shared = match (&before, &after) {
        (Some(before), Some(after)) if before.len().max(after.len()) > MAX_VALUE => {
            before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count()
        }
        _ => 0,
    };
    let from = shared.saturating_sub(LEAD);
    (before.map(|text| cut(&text, from)), after.map(|text| cut(&text, from)))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn cut(text: &str, from: usize) -> String {
    let mut rest = text.chars().skip(from);
    let mut kept: String = if from > 0 { "…".into() } else { String::new() };
    kept.extend(rest.by_ref().take(MAX_VALUE));
    if rest.next().is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: &str, after: &str) -> Vec<String> {
        between(Some(before), Some(after)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_added_variable_is_told_by_its_name() {
        let before = r#"{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"a"}]}}}}"#;
        let after = r#"{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"a","env":[{"name":"RELEASE","value":"2"}]}]}}}}"#;
        let added = diff(before, after);
        assert_eq!(added, ["spec.template.spec.containers[0].env[RELEASE]: ∅ → 2"]);
        let more = after.replace("]}]}}}}", r#",{"name":"B","value":"x"}]}]}}}}"#);
        assert_eq!(diff(after, &more), ["spec.template.spec.containers[0].env[B]: ∅ → x"]);
    }

    #[test]
    fn a_changed_variable_is_told_by_its_name() {
        let before = r#"{"env":[{"name":"A","value":"1"},{"name":"B","value":"1"}]}"#;
        let after = r#"{"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}"#;
        assert_eq!(diff(before, after), ["env[B]: 1 → 2"]);
    }

    #[test]
    fn keys_with_dots_stand_in_brackets() {
        let before = r#"{"annotations":{"a.b/c":"1"}}"#;
        assert_eq!(diff(before, r#"{"annotations":{}}"#), ["annotations[a.b/c]: 1 → ∅"]);
    }

    #[test]
    fn long_values_begin_where_they_differ() {
        let body = |end: &str| format!(r#"{{"a":"{}{end}"}}"#, "x".repeat(500));
        let lead = format!("…{}", "x".repeat(LEAD));
        assert_eq!(diff(&body("1"), &body("2")), [format!("a: {lead}1 → {lead}2")]);
        let long = diff(r#"{"a":"b"}"#, &body("")).remove(0);
        assert_eq!(long, format!("a: b → {}…", "x".repeat(MAX_VALUE)));
    }

    #[test]
    fn what_is_no_json_differs_in_nothing() {
        assert_eq!(between(Some("{"), None), []);
    }
}
