//! A span that has ended, as exporters see it.

use super::span_context::SpanContext;
use crate::attribute::{Attribute, Text};
use crate::ids::SpanId;
use std::time::SystemTime;

/// A span that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SpanRecord {
    /// The span's identity.
    pub context: SpanContext,
    /// The span that this one is part of.
    pub parent: Option<SpanId>,
    /// Whether that span is of another process.
    pub parent_is_remote: bool,
    /// Which side of a call this is.
    pub kind: Kind,
    /// What was done.
    pub name: Text,
    /// When it began.
    pub start: SystemTime,
    /// When it ended.
    pub end: SystemTime,
    /// What is known about it.
    pub attributes: Vec<Attribute>,
    /// How many attributes were over the limit.
    pub dropped_attributes: u32,
    /// What happened during it.
    pub events: Vec<Event>,
    /// How many events were over the limit.
    pub dropped_events: u32,
    /// Spans that it has to do with.
    pub links: Vec<Link>,
    /// How many links were over the limit.
    pub dropped_links: u32,
    /// How it went.
    pub status: Status,
}

/// Which side of a call a span is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Work within a process.
    #[default]
    Internal,
    /// Work for a caller in another process.
    Server,
    /// A call to another process.
    Client,
}

/// Something that happened at one moment of a span.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub name: Text,
    /// When.
    pub time: SystemTime,
    /// What is known about it.
    pub attributes: Vec<Attribute>,
}

/// A span that another has to do with, without being its parent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Link {
    /// That span.
    pub context: SpanContext,
    /// What they have to do with each other.
    pub attributes: Vec<Attribute>,
}

/// How a span went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Nobody said.
    #[default]
    Unset,
    /// Said to be well.
    Ok,
    /// It failed, and why.
    Error(Text),
}
