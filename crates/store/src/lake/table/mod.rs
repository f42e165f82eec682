//! The tables of the lake: their columns, and how our types become rows and come back.

mod edges;
mod hex;
mod journeys;
mod runs;
mod schema;
mod spans;
mod values;

pub(super) use edges::{EDGE_OF, edges_from, edges_of};
pub(super) use journeys::{JourneyFacts, journey_row, read_journey};
pub(super) use runs::{runs_from, runs_of};
pub(super) use spans::{native_rows, segment_rows, stamp, woven_rows};
pub(super) use values::{attributes_from_text, attributes_to_text};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Table {
    /// Spans, native and woven.
    Spans,
    /// Why each hangs where it hangs.
    Edges,
    /// Journeys; written last, so that whoever finds one finds what hangs on it.
    Journeys,
    /// The runs of traced commands.
    Runs,
}

impl Table {
    /// All of them, in the order in which they are written.
    pub(super) const ALL: [Self; 4] = [Self::Spans, Self::Edges, Self::Journeys, Self::Runs];

    /// Its name in SQL and its folder.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Spans => "spans",
            Self::Edges => "edges",
            Self::Journeys => "journeys",
            Self::Runs => "runs",
        }
    }
}

/// The day since 1970 that a moment is in.
pub(super) fn day_of(nanos: i64) -> i32 {
    i32::try_from(nanos.div_euclid(86_400_000_000_000)).unwrap_or(0)
}
