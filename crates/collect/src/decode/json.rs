//! One spelling for equal JSON, so that two sources' bytes of one object can be compared and hashed.

use memchr::memchr2;

/// A string value met on the way, with the key that it stands under.
pub(super) type OnString<'a> = dyn FnMut(&str, &str) + 'a;

/// Writes well-formed JSON without white space and with one spelling of every string.
///
/// The API server, a proxy and a recorder escape differently; the values are the same.
pub(super) fn canonical(json: &str, out: &mut String, on_string: &mut OnString<'_>) {
    let bytes = json.as_bytes();
    let mut key = String::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            b'"' => {
                let end = string_end(bytes, at);
                let from = out.len();
                push_string(&json[at..end], out);
                let text = out.get(from + 1..out.len() - 1).unwrap_or_default();
                if is_key(bytes, end) {
                    key.clear();
                    key.push_str(text);
                } else {
                    on_string(&key, text);
                }
                at = end;
            }
            _ => {
                let run = plain_run(&bytes[at..]);
                out.push_str(&json[at..at + run]);
                at += run;
            }
        }
    }
}

/// How many bytes are neither white space nor the start of a string.
fn plain_run(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'"'));
    end.unwrap_or(bytes.len()).max(1)
}

fn is_key(bytes: &[u8], end: usize) -> bool {
    bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// The index after the closing quote of the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn push_string(quoted: &str, out: &mut String) {
    let escaped = memchr::memchr(b'\\', quoted.as_bytes()).is_some();
    let spelled = escaped.then(|| serde_json::from_str::<String>(quoted).ok()).flatten();
    match spelled.and_then(|text| serde_json::to_string(&text).ok()) {
        Some(text) => out.push_str(&text),
        None if quoted.len() >= 2 => out.push_str(quoted),
        None => out.push_str("\"\""),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spelled(json: &str) -> String {
        let mut out = String::new();
        canonical(json, &mut out, &mut |_, _| {});
        out
    }

    #[test]
    fn equal_values_are_spelled_alike() {
        let expected = r#"{"a":"<é>\"","b":[1,-2.5e3,true,null]}"#;
        assert_eq!(spelled(r#"{"a":"\u003c\u00e9\u003e\u0022","b":[1,-2.5e3,true,null]}"#), expected);
        assert_eq!(spelled("{ \"a\" : \"<é>\\\"\",\n\t\"b\": [1, -2.5e3, true, null] }"), expected);
    }

    #[test]
    fn strings_are_told_from_keys() {
        let mut seen = Vec::new();
        let json = r#"{"name": "x", "list": ["y", "z"], "deep": {"secretName" : "s"}}"#;
        canonical(json, &mut String::new(), &mut |key, text| seen.push(format!("{key}={text}")));
        assert_eq!(seen, ["name=x", "list=y", "list=z", "secretName=s"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,60}") {
            spelled(&text);
        }

        #[test]
        fn a_string_keeps_its_value(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&spelled(&json)).unwrap(), text);
        }
    }
}
