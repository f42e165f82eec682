//! Parts of an answer, and what they must be.

use serde_json::Value;

/// The part at a path such as `journeys.0.title`.
pub(crate) fn find<'a>(body: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(body, |value, step| match step.parse::<usize>() {
        Ok(place) if value.is_array() => value.get(place),
        _ => value.get(step),
    })
}

/// Compares a part: a map with one of the words below says how, anything else must be equal.
pub(crate) fn part(body: &Value, path: &str, wanted: &Value) -> Result<(), String> {
    let found = find(body, path).ok_or_else(|| format!("there is no {path} in {}", cut(body)))?;
    let rule = wanted.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
    let holds = match rule.map(|(word, value)| (word.as_str(), value)) {
        Some(("length", length)) => Some(found.as_array().map(Vec::len)) == Some(number(length)),
        Some(("at_least", least)) => found.as_f64() >= least.as_f64() && found.is_number(),
        Some(("contains", text)) => found.as_str().zip(text.as_str()).is_some_and(|(found, text)| found.contains(text)),
        Some(("each", rules)) => return each(found, path, rules),
        Some(("some", rules)) => {
            let items = found.as_array().map_or(&[][..], Vec::as_slice);
            items.iter().any(|item| fits(item, rules).is_ok())
        }
        _ => same(found, wanted),
    };
    if holds { Ok(()) } else { Err(format!("{path} is {}, not {wanted}", cut(found))) }
}

fn each(found: &Value, path: &str, rules: &Value) -> Result<(), String> {
    let items = found.as_array().ok_or_else(|| format!("{path} is no list"))?;
    items
        .iter()
        .enumerate()
        .try_for_each(|(place, item)| fits(item, rules).map_err(|why| format!("{path}.{place}: {why}")))
}

/// Whether an item has parts, by their paths.
fn fits(item: &Value, rules: &Value) -> Result<(), String> {
    let rules = rules.as_object().ok_or("each and some take a map of parts")?;
    rules.iter().try_for_each(|(path, wanted)| part(item, path, wanted))
}

/// A number is the same however it is written.
fn same(found: &Value, wanted: &Value) -> bool {
    match (found.as_f64(), wanted.as_f64()) {
        (Some(found), Some(wanted)) => (found - wanted).abs() < 1e-9,
        _ => found == wanted,
    }
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(400).collect()
}
