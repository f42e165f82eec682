//! The names and values of one query string.

use std::fmt;

use percent_encoding::percent_decode_str;

use super::bad::{BadParameter, quote};

/// How many parameters one request may have.
const MAX_PARAMETERS: usize = 200;
/// How long one value may be.
const MAX_VALUE: usize = 4096;

/// The parameters of one request, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads a query string, the part of an address after `?`.
    pub fn parse(query: &str) -> Result<Self, BadParameter> {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let mut parameters = Vec::new();
        for pair in pairs {
            if parameters.len() == MAX_PARAMETERS {
                return Err(BadParameter::new("(all)", format!("there are more than {MAX_PARAMETERS}: ask for less")));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name, "(a name)")?;
            let value = decode(value, &name)?;
            if value.len() > MAX_VALUE {
                return Err(BadParameter::new(name, format!("is longer than {MAX_VALUE} bytes")));
            }
            parameters.push((name, value));
        }
        Ok(Self(parameters))
    }

    /// The value of a parameter that may stand once.
    pub fn one(&self, name: &str) -> Result<Option<&str>, BadParameter> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() {
            return Err(BadParameter::new(name, "stands more than once: write it once"));
        }
        Ok(first)
    }

    /// The values of a parameter that may stand several times; empty ones count as not there.
    pub fn all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        let values = self.0.iter().filter(move |(other, value)| other == name && !value.is_empty());
        values.map(|(_, value)| value.as_str())
    }

    /// A whole number between 1 and a limit.
    pub fn number(&self, name: &str, default: usize, limit: usize) -> Result<usize, BadParameter> {
        let Some(text) = self.one(name)? else { return Ok(default) };
        match text.parse() {
            Ok(number) if (1..=limit).contains(&number) => Ok(number),
            _ => Err(BadParameter::new(name, format!("{} is no number from 1 to {limit}", quote(text)))),
        }
    }

    /// Whether a switch is on: `raw=1`, `raw=true`, or `raw` alone.
    pub fn switch(&self, name: &str) -> Result<bool, BadParameter> {
        let Some((_, value)) = self.0.iter().find(|(other, _)| other == name) else { return Ok(false) };
        match value.as_str() {
            "" | "1" | "true" => Ok(true),
            "0" | "false" => Ok(false),
            other => Err(BadParameter::new(name, format!("{} is neither 1 nor 0", quote(other)))),
        }
    }

    /// Refuses names that mean nothing here: a typing error must not answer with everything.
    pub fn only(&self, known: &[&[&str]]) -> Result<(), BadParameter> {
        let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
        let Some((name, _)) = self.0.iter().find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let names: Vec<&str> = known.iter().flat_map(|names| names.iter().copied()).collect();
        Err(BadParameter::new(quote(name), format!("means nothing here; known are {}", names.join(", "))))
    }

    /// The parameters whose names begin with a prefix, without it.
    pub fn under(&self, prefix: &str) -> Self {
        let below = self.0.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(prefix)?;
            Some((name.to_owned(), value.clone()))
        });
        Self(below.collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Parameters {
    /// What was asked, as a person would say it: `namespace=shop state=stuck`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, value)) in self.0.iter().filter(|(_, value)| !value.is_empty()).enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(f, "{space}{name}={value}")?;
        }
        Ok(())
    }
}

fn decode(text: &str, name: &str) -> Result<String, BadParameter> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    match decoded {
        Ok(decoded) if !decoded.contains('\0') => Ok(decoded.into_owned()),
        _ => Err(BadParameter::new(name, "is no UTF-8 text")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(query: &str) -> Parameters {
        Parameters::parse(query).unwrap()
    }

    #[test]
    fn values_are_decoded_and_may_repeat() {
        let parameters = parse("namespace=shop&q=a+b%26c&namespace=caf%C3%A9&empty=&raw");
        assert_eq!(parameters.all("namespace").collect::<Vec<_>>(), ["shop", "café"]);
        assert_eq!(parameters.one("q").unwrap(), Some("a b&c"));
        assert_eq!(parameters.one("empty").unwrap(), None);
        assert!(parameters.switch("raw").unwrap());
        assert!(!parameters.switch("other").unwrap());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let twice = parse("limit=1&limit=2").one("limit").unwrap_err();
        assert_eq!(twice.to_string(), "parameter limit: stands more than once: write it once");
        let large = parse("limit=5000").number("limit", 50, 1000).unwrap_err();
        assert_eq!(large.to_string(), "parameter limit: \"5000\" is no number from 1 to 1000");
        let broken = Parameters::parse("q=%ff").unwrap_err();
        assert_eq!(broken.to_string(), "parameter q: is no UTF-8 text");
        let unknown = parse("namesapce=x").only(&[&["namespace"], &["limit"]]).unwrap_err();
        assert_eq!(unknown.to_string(), "parameter \"namesapce\": means nothing here; known are namespace, limit");
        assert!(Parameters::parse(&"a=1&".repeat(201)).is_err());
    }

    #[test]
    fn a_prefix_picks_one_side() {
        let parameters = parse("a.namespace=shop&b.namespace=store&limit=3");
        assert_eq!(parameters.under("b."), parse("namespace=store"));
    }

    proptest! {
        #[test]
        fn no_query_string_makes_it_panic(query in "\\PC{0,80}") {
            let _ = Parameters::parse(&query);
        }

        #[test]
        fn what_was_encoded_comes_back(value in "\\PC{1,40}") {
            let encoded = percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC).to_string();
            let parameters = parse(&format!("q={encoded}"));
            prop_assert_eq!(parameters.one("q").unwrap(), Some(value.as_str()));
        }
    }
}
