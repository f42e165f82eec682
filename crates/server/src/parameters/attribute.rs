//! Conditions on attributes: `http.route=/x`, `retries>3`, `resource.service.name~kube.*`, `clew.diff`.

use clew_store::{AttributeScope, Comparison, Field, Filter, Operand};
use regex::Regex;

use super::bad::{BadParameter, quote};

/// The signs of comparisons; a longer one stands before one that it begins with.
const SIGNS: [(&str, Comparison); 8] = [
    ("!=", Comparison::NotEqual),
    ("!~", Comparison::NotMatches),
    (">=", Comparison::GreaterOrEqual),
    ("<=", Comparison::LessOrEqual),
    ("=", Comparison::Equal),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
    ("~", Comparison::Matches),
];
/// How long a regular expression may be.
const MAX_REGEX: usize = 512;

/// A condition with the key that it is about; conditions of one key that ask for equality are alternatives.
pub(super) struct Condition {
    pub(super) key: String,
    pub(super) is_equality: bool,
    pub(super) filter: Filter,
}

/// Reads one condition.
pub(super) fn condition(text: &str) -> Result<Condition, BadParameter> {
    let Some(at) = text.find(['=', '!', '<', '>', '~']) else {
        let field = field(text)?;
        return Ok(Condition { key: text.to_owned(), is_equality: false, filter: Filter::Exists(field) });
    };
    let (key, rest) = text.split_at(at);
    let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
    let Some((sign, comparison)) = sign else {
        return Err(bad(text, "has a sign that is none of = != > >= < <= ~ !~"));
    };
    let (field, value) = (field(key)?, &rest[sign.len()..]);
    let filter = match comparison {
        Comparison::Matches | Comparison::NotMatches => {
            check_regex(text, value)?;
            Filter::Compare(field, *comparison, Operand::Text(value.into()))
        }
        Comparison::Equal => either(equals(&field, *comparison, value), Filter::Or),
        Comparison::NotEqual => either(equals(&field, *comparison, value), Filter::And),
        _ => Filter::Compare(field, *comparison, number(value).ok_or_else(|| bad(text, "compares with no number"))?),
    };
    Ok(Condition { key: key.to_owned(), is_equality: *comparison == Comparison::Equal, filter })
}

/// The attribute that a key means.
pub(super) fn field(key: &str) -> Result<Field, BadParameter> {
    let (scope, key) = match key {
        key if key.starts_with("resource.") => (AttributeScope::Resource, &key["resource.".len()..]),
        key if key.starts_with("span.") => (AttributeScope::Span, &key["span.".len()..]),
        key => (AttributeScope::Any, key),
    };
    if key.is_empty() || key.contains(char::is_whitespace) {
        return Err(bad(key, "has no key: write it as key=value, key>5, key~regex, or key alone"));
    }
    Ok(Field::Attribute(scope, key.into()))
}

/// What equality may mean: `2` is a number for one source and text for another.
fn equals(field: &Field, comparison: Comparison, value: &str) -> Vec<Filter> {
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let mut operands = vec![Operand::Text(quoted.unwrap_or(value).into())];
    if quoted.is_none() {
        operands.extend(number(value));
        operands.extend(value.parse().ok().map(Operand::Bool));
    }
    operands.into_iter().map(|operand| Filter::Compare(field.clone(), comparison, operand)).collect()
}

fn either(mut filters: Vec<Filter>, join: fn(Vec<Filter>) -> Filter) -> Filter {
    match filters.len() {
        1 => filters.remove(0),
        _ => join(filters),
    }
}

fn number(value: &str) -> Option<Operand> {
    let whole = value.parse().ok().map(Operand::Int);
    whole.or_else(|| value.parse().ok().filter(|number: &f64| number.is_finite()).map(Operand::Float))
}

fn check_regex(text: &str, regex: &str) -> Result<(), BadParameter> {
    if regex.len() > MAX_REGEX {
        return Err(bad(text, "has a regular expression that is too long"));
    }
    Regex::new(regex).map(|_| ()).map_err(|_| bad(text, "has no valid regular expression"))
}

fn bad(text: &str, problem: &str) -> BadParameter {
    BadParameter::new("attr", format!("{} {problem}", quote(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(key: &str) -> Field {
        Field::Attribute(AttributeScope::Any, key.into())
    }

    fn read(text: &str) -> Filter {
        condition(text).unwrap().filter
    }

    #[test]
    fn signs_become_comparisons() {
        let text = |comparison, value: &str| Filter::Compare(any("a.b"), comparison, Operand::Text(value.into()));
        assert_eq!(read("a.b=x"), text(Comparison::Equal, "x"));
        assert_eq!(read("a.b!=x"), text(Comparison::NotEqual, "x"));
        assert_eq!(read("a.b~x.*"), text(Comparison::Matches, "x.*"));
        assert_eq!(read("a.b!~x.*"), text(Comparison::NotMatches, "x.*"));
        assert_eq!(read("a.b"), Filter::Exists(any("a.b")));
        assert_eq!(read("a.b>=5"), Filter::Compare(any("a.b"), Comparison::GreaterOrEqual, Operand::Int(5)));
        assert_eq!(read("a.b<0.5"), Filter::Compare(any("a.b"), Comparison::Less, Operand::Float(0.5)));
    }

    #[test]
    fn a_number_may_be_text_unless_it_is_quoted() {
        let compare = |operand| Filter::Compare(any("n"), Comparison::Equal, operand);
        assert_eq!(read("n=2"), Filter::Or(vec![compare(Operand::Text("2".into())), compare(Operand::Int(2))]));
        assert_eq!(read("n=\"2\""), compare(Operand::Text("2".into())));
        assert_eq!(
            read("n=true"),
            Filter::Or(vec![compare(Operand::Text("true".into())), compare(Operand::Bool(true))])
        );
    }

    #[test]
    fn values_may_hold_signs_themselves() {
        let Filter::Compare(_, _, operand) = read("query=a=b>c") else { panic!("no comparison") };
        assert_eq!(operand, Operand::Text("a=b>c".into()));
    }

    #[test]
    fn prefixes_name_the_scope() {
        let Filter::Exists(field) = read("resource.service.name") else { panic!("no existence") };
        assert_eq!(field, Field::Attribute(AttributeScope::Resource, "service.name".into()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for text in ["=x", "a!x", "a>x", "a~(", "a b=x", "resource.=x"] {
            let error = condition(text).err().expect(text);
            assert!(error.to_string().starts_with("parameter attr: "), "{error}");
        }
    }
}
