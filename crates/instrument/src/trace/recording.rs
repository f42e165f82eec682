//! A sampled span while it is being written.

use super::limits::Limits;
use super::record::{Event, Kind, Link, SpanRecord, Status};
use super::span_context::SpanContext;
use crate::attribute::{Attribute, Text, Value};
use crate::ids::SpanId;
use crate::pipeline::Queue;
use crate::sync::lock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// How a span begins.
pub(crate) struct Beginning {
    pub(crate) context: SpanContext,
    pub(crate) parent: SpanContext,
    pub(crate) kind: Kind,
    pub(crate) name: Text,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) links: Vec<Link>,
}

/// A sampled span that is shared between its owner, its context and, at the end, the queue.
pub(crate) struct Recording {
    pub(crate) context: SpanContext,
    parent: Option<SpanId>,
    parent_is_remote: bool,
    kind: Kind,
    start: SystemTime,
    limits: Limits,
    queue: Arc<Queue>,
    /// Not counted and not exported until something happens in it: an iteration of a sync loop that may do nothing.
    pending: AtomicBool,
    /// How many owners must let go before the span ends, beyond the first.
    holds: AtomicU32,
    /// Whether the first owner has let go.
    released: AtomicBool,
    data: Mutex<Data>,
}

struct Data {
    name: Text,
    attributes: Vec<Attribute>,
    events: Vec<Event>,
    links: Vec<Link>,
    dropped: Dropped,
    status: Status,
    end: Option<SystemTime>,
}

struct Dropped {
    attributes: u32,
    events: u32,
    links: u32,
}

impl Recording {
    pub(crate) fn begin(mut beginning: Beginning, limits: Limits, queue: Arc<Queue>, pending: bool) -> Arc<Self> {
        let dropped = Dropped {
            attributes: cut(&mut beginning.attributes, limits.attributes),
            events: 0,
            links: cut(&mut beginning.links, limits.links),
        };
        for attribute in &mut beginning.attributes {
            shorten(&mut attribute.value, limits.value_length);
        }
        let parent = beginning.parent.is_valid().then_some(beginning.parent.span_id);
        let parent_is_remote = beginning.parent.remote;
        if !pending {
            queue.started().sampled(parent.is_some(), parent_is_remote);
        }
        Arc::new(Self {
            context: beginning.context,
            parent,
            parent_is_remote,
            kind: beginning.kind,
            start: SystemTime::now(),
            limits,
            queue,
            pending: AtomicBool::new(pending),
            holds: AtomicU32::new(0),
            released: AtomicBool::new(false),
            data: Mutex::new(Data {
                name: beginning.name,
                attributes: beginning.attributes,
                events: Vec::new(),
                links: beginning.links,
                dropped,
                status: Status::Unset,
                end: None,
            }),
        })
    }

    /// Says that something happened in a pending span: from now on it counts.
    pub(crate) fn commit(&self) {
        if self.pending.load(Ordering::Relaxed) && self.pending.swap(false, Ordering::Relaxed) {
            self.queue.started().sampled(self.parent.is_some(), self.parent_is_remote);
        }
    }

    pub(crate) fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn set_name(&self, name: Text) {
        self.edit(|data| data.name = name);
    }

    pub(crate) fn set_status(&self, status: Status) {
        self.edit(|data| data.status = status);
    }

    pub(crate) fn set(&self, mut attribute: Attribute) {
        shorten(&mut attribute.value, self.limits.value_length);
        self.edit(|data| {
            if let Some(same) = data.attributes.iter_mut().find(|known| known.key == attribute.key) {
                same.value = attribute.value;
                return;
            }
            if data.attributes.len() < self.limits.attributes {
                data.attributes.push(attribute);
            } else {
                data.dropped.attributes += 1;
            }
        });
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        lock(&self.data).attributes.iter().any(|attribute| attribute.key == key)
    }

    pub(crate) fn event(&self, name: Text, mut attributes: Vec<Attribute>) {
        cut(&mut attributes, self.limits.event_attributes);
        for attribute in &mut attributes {
            shorten(&mut attribute.value, self.limits.value_length);
        }
        self.edit(|data| {
            if data.events.len() < self.limits.events {
                data.events.push(Event { name, time: SystemTime::now(), attributes });
            } else {
                data.dropped.events += 1;
            }
        });
    }

    pub(crate) fn link(&self, context: SpanContext, mut attributes: Vec<Attribute>) {
        cut(&mut attributes, self.limits.link_attributes);
        self.edit(|data| {
            if data.links.len() < self.limits.links {
                data.links.push(Link { context, attributes });
            } else {
                data.dropped.links += 1;
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
        this.queue.push(Arc::clone(this));
    }

    /// The ended span, moved out.
    pub(crate) fn take_record(&self) -> SpanRecord {
        let mut data = lock(&self.data);
        SpanRecord {
            context: self.context.clone(),
            parent: self.parent,
            parent_is_remote: self.parent_is_remote,
            kind: self.kind,
            name: std::mem::take(&mut data.name),
            start: self.start,
            end: data.end.unwrap_or(self.start).max(self.start),
            attributes: std::mem::take(&mut data.attributes),
            dropped_attributes: data.dropped.attributes,
            events: std::mem::take(&mut data.events),
            dropped_events: data.dropped.events,
            links: std::mem::take(&mut data.links),
            dropped_links: data.dropped.links,
            status: std::mem::take(&mut data.status),
        }
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
