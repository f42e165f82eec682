//! What a plain YAML word means, by the rules of the parser that Kubernetes uses (YAML 1.1).

use super::document::Node;

/// Turns an unquoted YAML scalar into the value that Kubernetes would see.
pub(super) fn resolve(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Node::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Node::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Node::Bool(false);
        }
        _ => {}
    }
    number(text).map_or_else(|| Node::Text(text.to_owned()), Node::Number)
}

/// The decimal form of a number, or nothing when the text is not a number.
fn number(text: &str) -> Option<String> {
    let first = text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return None;
    }
    let plain = text.replace('_', "");
    if let Some(integer) = integer(&plain) {
        return Some(integer.to_string());
    }
    let float: f64 = plain.parse().ok()?;
    let digits = plain.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b));
    (digits && float.is_finite()).then(|| float.to_string())
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.get(..2) {
        Some("0x") => i64::from_str_radix(digits.get(2..)?, 16).ok()?,
        Some("0b") => i64::from_str_radix(digits.get(2..)?, 2).ok()?,
        Some("0o") => i64::from_str_radix(digits.get(2..)?, 8).ok()?,
        _ if !digits.bytes().all(|b| b.is_ascii_digit()) => return None,
        _ if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
        _ => digits.parse().ok()?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_1_1_words_are_what_kubernetes_takes_them_for() {
        assert_eq!(resolve("yes"), Node::Bool(true));
        assert_eq!(resolve("off"), Node::Bool(false));
        assert_eq!(resolve("~"), Node::Null);
        assert_eq!(resolve("0x10"), Node::Number("16".into()));
        assert_eq!(resolve("010"), Node::Number("8".into()));
        assert_eq!(resolve("1_000"), Node::Number("1000".into()));
        assert_eq!(resolve("1e6"), Node::Number("1000000".into()));
        assert_eq!(resolve("1.5"), Node::Number("1.5".into()));
    }

    #[test]
    fn an_address_is_text() {
        assert_eq!(resolve("127.0.0.1:4317"), Node::Text("127.0.0.1:4317".into()));
        assert_eq!(resolve("-"), Node::Text("-".into()));
        assert_eq!(resolve(".inf"), Node::Text(".inf".into()));
    }
}
