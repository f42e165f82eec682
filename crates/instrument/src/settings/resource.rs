//! What is true of all spans of a component: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, and what it says itself.

use super::environment::Environment;
use crate::attribute::{Attribute, Text, Value, attr};

/// The most attributes that the variable may bring.
const MAX_ATTRIBUTES: usize = 128;

/// The resource of a component; what an administrator says in the environment wins over what the component says.
pub(crate) fn resource(service: &Text, own: &[Attribute], env: &Environment) -> Vec<Attribute> {
    let mut all = vec![
        attr("service.name", service.clone()),
        attr("telemetry.sdk.name", "clew"),
        attr("telemetry.sdk.language", "rust"),
        attr("telemetry.sdk.version", env!("CARGO_PKG_VERSION")),
    ];
    for attribute in own {
        put(&mut all, attribute.clone());
    }
    for attribute in env.get("OTEL_RESOURCE_ATTRIBUTES").map(parse).unwrap_or_default() {
        put(&mut all, attribute);
    }
    if let Some(name) = env.get("OTEL_SERVICE_NAME") {
        put(&mut all, attr("service.name", name.to_owned()));
    }
    all
}

fn put(all: &mut Vec<Attribute>, attribute: Attribute) {
    match all.iter_mut().find(|known| known.key == attribute.key) {
        Some(known) => known.value = attribute.value,
        None => all.push(attribute),
    }
}

fn parse(text: &str) -> Vec<Attribute> {
    let pair = |pair: &str| {
        let (key, value) = pair.split_once('=')?;
        let key = key.trim();
        (!key.is_empty()).then(|| attr(key.to_owned(), Value::Text(percent_decode(value.trim()).into())))
    };
    text.split(',').filter_map(pair).take(MAX_ATTRIBUTES).collect()
}

/// Undoes percent-encoding; what is not valid stays as it is.
pub(crate) fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let decoded = match (first, after.get(..2)) {
            (b'%', Some(digits)) => {
                std::str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok())
            }
            _ => None,
        };
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(resource: &'a [Attribute], key: &str) -> Option<&'a Value> {
        resource.iter().find(|attribute| attribute.key == key).map(|attribute| &attribute.value)
    }

    #[test]
    fn the_administrators_words_win() {
        let env = Environment::from_pairs([
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,k8s.node.name=node%201,broken,=x"),
            ("OTEL_SERVICE_NAME", "b"),
        ]);
        let resource = resource(&"kubelet".into(), &[attr("k8s.node.name", "mine")], &env);
        assert_eq!(value(&resource, "service.name"), Some(&Value::Text("b".into())));
        assert_eq!(value(&resource, "k8s.node.name"), Some(&Value::Text("node 1".into())));
    }

    #[test]
    fn broken_percent_encoding_stays_as_it_is() {
        assert_eq!(percent_decode("100%"), "100%");
        assert_eq!(percent_decode("%zz%41"), "%zzA");
        assert_eq!(percent_decode("%ff"), "%ff");
    }
}
