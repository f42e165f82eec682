//! How a message is seen by the serializer, and the forms that its fields take.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A message in the form of a capture.
pub(super) struct View<'a, T>(pub(super) &'a T);

/// A list of messages.
pub(super) struct Views<'a, T>(pub(super) &'a [T]);

impl<'a, T> Serialize for Views<'a, T>
where
    View<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(View))
    }
}

/// An id in hex.
struct Hex<'a>(&'a [u8]);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The fields of one message; what is empty or zero is left out.
pub(super) struct Fields<M>(pub(super) M);

impl<M: SerializeMap> Fields<M> {
    pub(super) fn id(&mut self, name: &'static str, id: &[u8]) -> Result<(), M::Error> {
        if id.is_empty() { Ok(()) } else { self.0.serialize_entry(name, &Hex(id)) }
    }

    pub(super) fn text(&mut self, name: &'static str, text: &str) -> Result<(), M::Error> {
        if text.is_empty() { Ok(()) } else { self.0.serialize_entry(name, text) }
    }

    pub(super) fn number(&mut self, name: &'static str, number: impl Into<i64>) -> Result<(), M::Error> {
        let number = number.into();
        if number == 0 { Ok(()) } else { self.0.serialize_entry(name, &number) }
    }

    pub(super) fn time(&mut self, name: &'static str, nanos: u64) -> Result<(), M::Error> {
        if nanos == 0 { Ok(()) } else { self.0.serialize_entry(name, &nanos.to_string()) }
    }

    pub(super) fn list<'a, T>(&mut self, name: &'static str, list: &'a [T]) -> Result<(), M::Error>
    where
        View<'a, T>: Serialize,
    {
        if list.is_empty() { Ok(()) } else { self.0.serialize_entry(name, &Views(list)) }
    }

    pub(super) fn message<'a, T>(&mut self, name: &'static str, message: Option<&'a T>) -> Result<(), M::Error>
    where
        View<'a, T>: Serialize,
    {
        message.map_or(Ok(()), |message| self.0.serialize_entry(name, &View(message)))
    }
}
