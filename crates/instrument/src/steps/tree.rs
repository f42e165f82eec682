//! A table as a tree, with one clock: what the log prints.

use super::table::{Content, Table, Threshold};
use std::time::{Duration, SystemTime};

/// A span of the tree.
pub(super) struct Node {
    pub(super) name: String,
    /// `key:value,key:value`.
    pub(super) fields: String,
    pub(super) start: SystemTime,
    pub(super) end: Option<SystemTime>,
    pub(super) threshold: Option<Duration>,
    /// Steps and nested spans, in the order of their times.
    pub(super) below: Vec<Item>,
}

/// What a span consists of.
pub(super) enum Item {
    Step { name: String, fields: String, at: SystemTime },
    Span(Node),
}

impl Node {
    /// How long an ended span took, if that is worth logging.
    pub(super) fn over_threshold(&self) -> Option<Duration> {
        let took = self.end?.duration_since(self.start).unwrap_or_default();
        self.threshold.filter(|threshold| took >= *threshold).map(|_| took)
    }

    /// The tree of a table; none for an empty one.
    pub(super) fn of(table: &mut Table) -> Option<Self> {
        let mut items: Vec<(Option<u32>, Item)> = Vec::with_capacity(table.rows.len());
        let rows = std::mem::take(&mut table.rows);
        for row in &rows {
            items.push((row.parent, item(&row.content, table)));
        }
        table.rows = rows;
        // From the last row up: each span has all that is below it before it is put below its own parent.
        while items.len() > 1 {
            let (parent, item) = items.pop()?;
            let parent = parent.and_then(|parent| items.get_mut(parent as usize));
            if let Some((_, Item::Span(above))) = parent {
                above.below.push(item);
            }
        }
        match items.pop()?.1 {
            Item::Span(mut root) => {
                root.sort();
                Some(root)
            }
            Item::Step { .. } => None,
        }
    }

    fn sort(&mut self) {
        // The rows were added from the last to the first.
        self.below.reverse();
        self.below.sort_by_key(Item::at);
        for item in &mut self.below {
            if let Item::Span(node) = item {
                node.sort();
            }
        }
    }
}

impl Item {
    fn at(&self) -> SystemTime {
        match self {
            Self::Step { at, .. } => *at,
            Self::Span(node) => node.start,
        }
    }
}

fn item(content: &Content, table: &mut Table) -> Item {
    match content {
        Content::Step { label, at } => {
            Item::Step { name: label.name.to_string(), fields: fields(&label.fields), at: table.wall(*at) }
        }
        Content::Span { label, at, end, threshold } => Item::Span(Node {
            name: label.name.to_string(),
            fields: fields(&label.fields),
            start: table.wall(*at),
            end: end.map(|end| table.wall(end)),
            threshold: limit(*threshold),
            below: Vec::new(),
        }),
        Content::Recorded { recording, threshold } => Item::Span(recording.with_data(|data| Node {
            name: data.name.to_string(),
            fields: fields(data.attributes),
            start: data.start,
            end: data.end,
            threshold: limit(*threshold),
            below: data.events.iter().map(step).collect(),
        })),
    }
}

fn step(event: &crate::trace::Event) -> Item {
    Item::Step { name: event.name.to_string(), fields: fields(&event.attributes), at: event.time }
}

fn limit(threshold: Threshold) -> Option<Duration> {
    match threshold {
        Threshold::Never => None,
        Threshold::AtLeast(threshold) => Some(threshold),
    }
}

fn fields(attributes: &[crate::attribute::Attribute]) -> String {
    let pairs: Vec<String> = attributes.iter().map(|field| format!("{}:{}", field.key, field.value)).collect();
    pairs.join(",")
}
