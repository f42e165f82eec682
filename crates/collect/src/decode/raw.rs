//! An object as JSON has it, cut into the parts that are looked at.

use std::borrow::Cow;
use std::fmt;

use clew_model::Time;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// A Kubernetes object, its parts still JSON.
#[derive(Debug, Default)]
pub(super) struct RawObject<'a> {
    pub(super) api_version: Cow<'a, str>,
    pub(super) kind: Cow<'a, str>,
    pub(super) metadata: Metadata<'a>,
    pub(super) status: Option<&'a RawValue>,
    /// The items of a list.
    pub(super) items: Option<&'a RawValue>,
    /// What `Status` answers have: the name and UID that they are about.
    pub(super) details: Option<Details<'a>>,
    /// All other fields: spec, data, rules, subsets.
    pub(super) rest: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> RawObject<'a> {
    /// A field that is not metadata or status.
    pub(super) fn field(&self, name: &str) -> Option<&'a RawValue> {
        self.rest.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }
}

/// The parts of the metadata that are looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metadata<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) namespace: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) uid: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) resource_version: Cow<'a, str>,
    pub(super) generation: i64,
    pub(super) creation_timestamp: Option<Time>,
    pub(super) deletion_timestamp: Option<Time>,
    pub(super) deletion_grace_period_seconds: Option<i64>,
    #[serde(borrow)]
    pub(super) labels: Option<Pairs<'a>>,
    #[serde(borrow)]
    pub(super) annotations: Option<Pairs<'a>>,
    #[serde(borrow)]
    pub(super) finalizers: Option<Vec<Cow<'a, str>>>,
    #[serde(borrow)]
    pub(super) owner_references: Option<Vec<OwnerReference<'a>>>,
    #[serde(borrow)]
    pub(super) managed_fields: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OwnerReference<'a> {
    #[serde(borrow)]
    pub(super) api_version: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) uid: Cow<'a, str>,
    pub(super) controller: Option<bool>,
}

/// What an answer of kind `Status` is about.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Details<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) uid: Cow<'a, str>,
}

/// Labels or annotations, in their order.
#[derive(Debug, Default)]
pub(super) struct Pairs<'a>(pub(super) Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Pairs<'_> {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_ref())
    }
}

/// A key or value borrowed where JSON allows it.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Pairs::default();
        while let Some((Text(key), Text(value))) = map.next_entry()? {
            pairs.0.push((key, value));
        }
        Ok(pairs)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = RawObject<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut object = RawObject::default();
        while let Some(Text(key)) = map.next_key()? {
            match key.as_ref() {
                "apiVersion" => object.api_version = map.next_value::<Text<'_>>()?.0,
                "kind" => object.kind = map.next_value::<Text<'_>>()?.0,
                "metadata" => object.metadata = map.next_value::<Option<_>>()?.unwrap_or_default(),
                "status" => object.status = Some(map.next_value()?),
                "items" => object.items = Some(map.next_value()?),
                "details" => object.details = map.next_value()?,
                _ => object.rest.push((key, map.next_value()?)),
            }
        }
        Ok(object)
    }
}
