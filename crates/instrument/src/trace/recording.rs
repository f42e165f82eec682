//! A sampled span while it is being written.

use super::record::{Event, Kind, Link, SpanRecord, Status};
use super::span_context::SpanContext;
use crate::attribute::{Attribute, Text, Value};
use crate::ids::SpanId;
use crate::pipeline::Shard;
use crate::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// How a span begins.
pub(crate) struct Beginning<'a> {
    pub(crate) context: SpanContext,
    pub(crate) parent: &'a SpanContext,
    pub(crate) kind: Kind,
    pub(crate) name: Text,
    pub(crate) attributes: Vec<Attribute>,
}

/// A sampled span that is shared between its owner, its context and, at the end, the queue.
pub(crate) struct Recording {
    pub(crate) context: SpanContext,
    parent: Option<SpanId>,
    parent_is_remote: bool,
    kind: Kind,
    start: SystemTime,
    shard: Arc<Shard>,
    /// Not counted and not exported until something happens in it: an iteration of a sync loop that may do nothing.
    pending: AtomicBool,
    /// How many owners must let go before the span ends, beyond the first.
    holds: AtomicU32,
    /// Whether the first owner has let go.
    released: AtomicBool,
    data: Mutex<Data>,
}

#[derive(Clone)]
struct Data {
    name: Text,
    attributes: Vec<Attribute>,
    events: Vec<Event>,
    end: Option<SystemTime>,
    /// What few spans have.
    rest: Option<Box<Rest>>,
}

#[derive(Clone, Default)]
struct Rest {
    links: Vec<Link>,
    status: Status,
    dropped_attributes: u32,
    dropped_events: u32,
    dropped_links: u32,
}

impl Data {
    fn rest(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }
}

/// What a step table shows of a recorded span.
pub(crate) struct Shown<'a> {
    pub(crate) name: &'a str,
    pub(crate) start: SystemTime,
    pub(crate) end: Option<SystemTime>,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) events: &'a [Event],
}

impl Recording {
    pub(crate) fn begin(beginning: Beginning<'_>, shard: Arc<Shard>, pending: bool) -> Arc<Self> {
        let Beginning { context, parent, kind, name, mut attributes } = beginning;
        let limits = shard.limits();
        let over = cut(&mut attributes, limits.attributes);
        shorten_all(&mut attributes, limits.value_length);
        let rest = (over > 0).then(|| Box::new(Rest { dropped_attributes: over, ..Rest::default() }));
        let parent_is_remote = parent.remote;
        let parent = parent.is_valid().then_some(parent.span_id);
        if !pending {
            shard.started().sampled(parent.is_some(), parent_is_remote);
        }
        Arc::new(Self {
            context,
            parent,
            parent_is_remote,
            kind,
            start: SystemTime::now(),
            shard,
            pending: AtomicBool::new(pending),
            holds: AtomicU32::new(0),
            released: AtomicBool::new(false),
            data: Mutex::new(Data { name, attributes, events: Vec::new(), end: None, rest }),
        })
    }

    /// Says that something happened in a pending span: from now on it counts.
    pub(crate) fn commit(&self) {
        if self.pending.load(Ordering::Relaxed) && self.pending.swap(false, Ordering::Relaxed) {
            self.shard.started().sampled(self.parent.is_some(), self.parent_is_remote);
        }
    }

    pub(crate) fn shard(&self) -> &Arc<Shard> {
        &self.shard
    }

    pub(crate) fn set_name(&self, name: Text) {
        self.edit(|data| data.name = name);
    }

    pub(crate) fn set_status(&self, status: Status) {
        self.edit(|data| data.rest().status = status);
    }

    pub(crate) fn set(&self, mut attribute: Attribute) {
        let limits = self.shard.limits();
        shorten(&mut attribute.value, limits.value_length);
        self.edit(|data| {
            if let Some(same) = data.attributes.iter_mut().find(|known| known.key == attribute.key) {
                same.value = attribute.value;
                return;
            }
            if data.attributes.len() < limits.attributes {
                data.attributes.push(attribute);
            } else {
                data.rest().dropped_attributes += 1;
            }
        });
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        lock(&self.data).attributes.iter().any(|attribute| attribute.key == key)
    }

    pub(crate) fn event(&self, name: Text, mut attributes: Vec<Attribute>) {
        let limits = self.shard.limits();
        cut(&mut attributes, limits.event_attributes);
        shorten_all(&mut attributes, limits.value_length);
        self.edit(|data| {
            if data.events.len() < limits.events {
                data.events.push(Event { name, time: SystemTime::now(), attributes });
            } else {
                data.rest().dropped_events += 1;
            }
        });
    }

    pub(crate) fn link(&self, context: SpanContext, mut attributes: Vec<Attribute>) {
        let limits = self.shard.limits();
        cut(&mut attributes, limits.link_attributes);
        self.edit(|data| {
            let rest = data.rest();
            if rest.links.len() < limits.links {
                rest.links.push(Link { context, attributes });
            } else {
                rest.dropped_links += 1;
            }
        });
    }

    // One order for all threads: the owner and a holder that let go at once must not each leave the end to the other.

    /// Keeps the span open until [`release`](Self::release).
    pub(crate) fn hold(&self) {
        self.holds.fetch_add(1, Ordering::SeqCst);
    }

    /// Lets go of a hold; the last one to let go ends the span, if its owner has ended it already.
    pub(crate) fn release(this: &Arc<Self>) {
        let last = this.holds.fetch_sub(1, Ordering::SeqCst) == 1;
        if last && this.released.load(Ordering::SeqCst) {
            Self::finish(this);
        }
    }

    /// Ends the span, or leaves its end to those who hold it.
    pub(crate) fn end(this: &Arc<Self>) {
        this.released.store(true, Ordering::SeqCst);
        if this.holds.load(Ordering::SeqCst) == 0 {
            Self::finish(this);
        }
    }

    /// Ends the span, once, and queues it.
    fn finish(this: &Arc<Self>) {
        {
            let mut data = lock(&this.data);
            if data.end.is_some() {
                return;
            }
            data.end = Some(SystemTime::now());
        }
        if this.pending.load(Ordering::Relaxed) {
            return;
        }
        this.shard.push(Arc::clone(this));
    }

    /// The ended span: moved out when nobody else needs it, copied when a step table may still show it.
    pub(crate) fn into_record(this: Arc<Self>) -> SpanRecord {
        match Arc::try_unwrap(this) {
            Ok(own) => {
                let data = own.data.into_inner().unwrap_or_else(PoisonError::into_inner);
                Self::record(own.context, (own.parent, own.parent_is_remote), own.kind, own.start, data)
            }
            Err(shared) => {
                let data = lock(&shared.data).clone();
                let parent = (shared.parent, shared.parent_is_remote);
                Self::record(shared.context.clone(), parent, shared.kind, shared.start, data)
            }
        }
    }

    fn record(
        context: SpanContext,
        (parent, parent_is_remote): (Option<SpanId>, bool),
        kind: Kind,
        start: SystemTime,
        data: Data,
    ) -> SpanRecord {
        let rest = data.rest.map(|rest| *rest).unwrap_or_default();
        SpanRecord {
            context,
            parent,
            parent_is_remote,
            kind,
            name: data.name,
            start,
            end: data.end.unwrap_or(start).max(start),
            attributes: data.attributes,
            dropped_attributes: rest.dropped_attributes,
            events: data.events,
            dropped_events: rest.dropped_events,
            links: rest.links,
            dropped_links: rest.dropped_links,
            status: rest.status,
        }
    }

    /// How long the span took, if it has ended.
    pub(crate) fn took(&self) -> Option<Duration> {
        lock(&self.data).end?.duration_since(self.start).ok()
    }

    /// Looks at what the span says.
    pub(crate) fn with_data<T>(&self, look: impl FnOnce(&Shown<'_>) -> T) -> T {
        let data = lock(&self.data);
        look(&Shown {
            name: &data.name,
            start: self.start,
            end: data.end,
            attributes: &data.attributes,
            events: &data.events,
        })
    }

    /// Changes the span unless it has ended.
    fn edit(&self, change: impl FnOnce(&mut Data)) {
        self.commit();
        let mut data = lock(&self.data);
        if data.end.is_none() {
            change(&mut data);
        }
    }
}

fn cut<T>(items: &mut Vec<T>, limit: usize) -> u32 {
    let over = items.len().saturating_sub(limit);
    items.truncate(limit);
    u32::try_from(over).unwrap_or(u32::MAX)
}

fn shorten_all(attributes: &mut [Attribute], limit: usize) {
    for attribute in attributes {
        shorten(&mut attribute.value, limit);
    }
}

fn shorten(value: &mut Value, limit: usize) {
    match value {
        Value::Text(text) => shorten_text(text, limit),
        Value::Texts(texts) => texts.iter_mut().for_each(|text| shorten_text(text, limit)),
        _ => {}
    }
}

fn shorten_text(text: &mut Text, limit: usize) {
    // Bytes are at least as many as characters, so a short text needs no counting.
    if text.len() <= limit {
        return;
    }
    if let Some((index, _)) = text.char_indices().nth(limit) {
        *text = Text::Owned(text[..index].to_owned());
    }
}
