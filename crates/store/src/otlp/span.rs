//! One span on the wire, read and checked before anything of it is kept.

use clew_model::{SpanId, SpanKind, StatusCode, Time, TraceId};

use super::limits::{Counts, Limits, Reason};
use super::value::{self, Any, Loss};
use super::wire::{Field, Fields};
use super::{Fault, Malformed};
use crate::columns::{Row, json};

/// The span that was read last. Kept from span to span, so that its lists are allocated once for a request.
#[derive(Default)]
pub(super) struct SpanReader<'a> {
    pub(super) row: Row<'a>,
    pub(super) attributes: Vec<(&'a str, Any<'a>)>,
    pub(super) nested: String,
    pub(super) events: String,
    pub(super) links: String,
    /// The traces of the links.
    pub(super) linked: Vec<TraceId>,
    /// What was left out, by the sender or here: attributes, events, links.
    pub(super) dropped: [u64; 3],
    start: u64,
    kept: [usize; 2],
    loss: Loss,
    /// The attributes of an event or a link, as they lie.
    pairs: Vec<&'a [u8]>,
    own: [u64; 2],
    /// Whether events and links are looked at and not written.
    only_checks: bool,
}

impl<'a> SpanReader<'a> {
    /// A reader that leaves events and links empty.
    pub(super) fn that_only_checks() -> Self {
        Self { only_checks: true, ..Self::default() }
    }

    /// Reads a span. What was cut is counted; a span that is refused leaves nothing that may be used.
    pub(super) fn read(&mut self, span: &'a [u8], limits: &Limits, counts: &mut Counts) -> Result<(), Fault> {
        self.clear();
        let mut ids: [&[u8]; 3] = [&[]; 3];
        for field in Fields::new(span) {
            let field = field?;
            match field.number {
                1 => ids[0] = field.bytes()?,
                2 => ids[1] = field.bytes()?,
                4 => ids[2] = field.bytes()?,
                9 => self.attribute(field.bytes()?, limits)?,
                11 => self.event(field.bytes()?, limits)?,
                13 => self.link(field.bytes()?, limits)?,
                _ => self.scalar(&field, limits)?,
            }
        }
        self.identify(ids)?;
        if !(limits.earliest..=limits.latest).contains(&self.start) {
            return Err(Fault::Refused(Reason::Time));
        }
        for list in [&mut self.events, &mut self.links] {
            if !list.is_empty() {
                list.push(']');
            }
        }
        self.account(counts);
        Ok(())
    }

    fn clear(&mut self) {
        self.row = Row::default();
        self.attributes.clear();
        self.nested.clear();
        self.events.clear();
        self.links.clear();
        self.linked.clear();
        self.dropped = [0; 3];
        self.start = 0;
        self.kept = [0; 2];
        self.own = [0; 2];
        self.loss = Loss::default();
    }

    fn scalar(&mut self, field: &Field<'a>, limits: &Limits) -> Result<(), Fault> {
        let row = &mut self.row;
        match field.number {
            3 => row.trace_state = value::short(field.bytes()?, limits, &mut self.loss)?,
            5 => row.name = value::short(field.bytes()?, limits, &mut self.loss)?,
            6 => row.kind = SpanKind::from_otlp(enumeration(field.varint()?)),
            7 => {
                self.start = field.fixed64()?;
                row.start = Time::from_unsigned_nanos(self.start).as_nanos();
            }
            8 => row.end = Some(Time::from_unsigned_nanos(field.fixed64()?).as_nanos()).filter(|end| *end != 0),
            10 => self.dropped[0] = field.varint()? & u64::from(u32::MAX),
            12 => self.dropped[1] = field.varint()? & u64::from(u32::MAX),
            14 => self.dropped[2] = field.varint()? & u64::from(u32::MAX),
            15 => self.status(field.bytes()?, limits)?,
            16 => row.flags = field.fixed32()?,
            _ => {}
        }
        Ok(())
    }

    fn status(&mut self, status: &'a [u8], limits: &Limits) -> Result<(), Fault> {
        for field in Fields::new(status) {
            let field = field?;
            match field.number {
                2 => self.row.message = value::short(field.bytes()?, limits, &mut self.loss)?,
                3 => self.row.status = StatusCode::from_otlp(enumeration(field.varint()?)),
                _ => {}
            }
        }
        Ok(())
    }

    fn attribute(&mut self, pair: &'a [u8], limits: &Limits) -> Result<(), Fault> {
        if self.attributes.len() == limits.attributes {
            self.loss.attributes += 1;
            return Ok(());
        }
        if let Some(attribute) = value::attribute(pair, limits, &mut self.nested, &mut self.loss)? {
            self.attributes.push(attribute);
        }
        Ok(())
    }

    fn event(&mut self, event: &'a [u8], limits: &Limits) -> Result<(), Fault> {
        if self.kept[0] == limits.events {
            self.own[0] += 1;
            return Ok(());
        }
        let (mut time, mut name) = (0, "");
        self.pairs.clear();
        for field in Fields::new(event) {
            let field = field?;
            match field.number {
                1 => time = field.fixed64()?,
                2 => name = value::short(field.bytes()?, limits, &mut self.loss)?,
                3 => self.pairs.push(field.bytes()?),
                _ => {}
            }
        }
        self.kept[0] += 1;
        if self.only_checks {
            return value::each_attribute(&self.pairs, limits, &mut self.loss, |_, _, _, _| {});
        }
        begin(&mut self.events);
        json::begin_event(&mut self.events, self.kept[0] - 1, Time::from_unsigned_nanos(time).as_nanos(), name);
        value::write_attributes(&mut self.events, &self.pairs, limits, &mut self.loss)?;
        self.events.push('}');
        Ok(())
    }

    fn link(&mut self, link: &'a [u8], limits: &Limits) -> Result<(), Fault> {
        let mut ids: [&[u8]; 2] = [&[]; 2];
        let mut trace_state = "";
        self.pairs.clear();
        for field in Fields::new(link) {
            let field = field?;
            match field.number {
                1 => ids[0] = field.bytes()?,
                2 => ids[1] = field.bytes()?,
                3 => trace_state = value::short(field.bytes()?, limits, &mut self.loss)?,
                4 => self.pairs.push(field.bytes()?),
                _ => {}
            }
        }
        let (Some(trace), Some(span)) = (TraceId::from_slice(ids[0]), SpanId::from_slice(ids[1])) else {
            self.own[1] += 1;
            return Ok(());
        };
        if self.kept[1] == limits.links {
            self.own[1] += 1;
            return Ok(());
        }
        self.kept[1] += 1;
        self.linked.push(trace);
        if self.only_checks {
            return value::each_attribute(&self.pairs, limits, &mut self.loss, |_, _, _, _| {});
        }
        begin(&mut self.links);
        json::begin_link(&mut self.links, self.kept[1] - 1, (trace, span), trace_state);
        value::write_attributes(&mut self.links, &self.pairs, limits, &mut self.loss)?;
        self.links.push('}');
        Ok(())
    }

    /// A span is found by its ids: without them it is none.
    fn identify(&mut self, ids: [&[u8]; 3]) -> Result<(), Fault> {
        let trace = TraceId::from_slice(ids[0]).filter(|id| id.is_valid());
        let span = SpanId::from_slice(ids[1]).filter(|id| id.is_valid());
        let parent = if ids[2].is_empty() { Some(SpanId::INVALID) } else { SpanId::from_slice(ids[2]) };
        let (Some(trace), Some(span), Some(parent)) = (trace, span, parent) else {
            return Err(Fault::Refused(Reason::Id));
        };
        self.row.trace_id = trace.to_bytes();
        self.row.span_id = span.to_bytes();
        self.row.parent = parent.is_valid().then(|| parent.to_bytes());
        Ok(())
    }

    fn account(&mut self, counts: &mut Counts) {
        counts.taken += 1;
        counts.add(Reason::Attributes, self.loss.attributes);
        counts.add(Reason::Events, self.own[0]);
        counts.add(Reason::Links, self.own[1]);
        counts.add(Reason::Length, self.loss.cut);
        let own = [self.loss.attributes, self.own[0], self.own[1]];
        for (dropped, own) in self.dropped.iter_mut().zip(own) {
            *dropped += own;
        }
    }
}

fn begin(list: &mut String) {
    if list.is_empty() {
        list.push('[');
    }
}

/// Protobuf keeps the low 32 bits of an enumeration.
fn enumeration(number: u64) -> i32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or_default().cast_signed()
}

/// Checks the attributes of a resource as those of a span, and gives them.
pub(super) fn resource_attributes<'a>(
    resources: impl Iterator<Item = Result<&'a [u8], Malformed>>,
    limits: &Limits,
    reader: &mut SpanReader<'a>,
    counts: &mut Counts,
) -> Result<(), Fault> {
    reader.clear();
    for resource in resources {
        for field in Fields::new(resource?) {
            let field = field?;
            if field.number == 1 {
                reader.attribute(field.bytes()?, limits)?;
            }
        }
    }
    counts.add(Reason::Attributes, reader.loss.attributes);
    counts.add(Reason::Length, reader.loss.cut);
    Ok(())
}
