//! Captures in the order of time, played to an intake as if they happened now: what the demo is made of.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_model::{Span, Time};
use clew_store::StoreError;
use compact_str::CompactString;

use super::piece::Piece;
use crate::capture::{BadLines, Capture, ReadOptions};
use crate::decode::Decoder;
use crate::encode::otlp_protobuf;
use crate::intake::Intake;
use crate::live::{SourceHandle, SourceKind, Sources};
use crate::weaving::Clock;

/// How much happens at once, at most: facts closer than this are handed in together.
const GRAIN: Duration = Duration::from_millis(100);

/// What captures hold, in the order of time.
#[derive(Debug, Default)]
pub struct Timeline {
    pieces: Vec<Placed>,
    clusters: Vec<CompactString>,
}

/// A piece, when it was told, and the place of its cluster.
type Placed = (Time, usize, Piece);

/// How a timeline is played.
#[derive(Debug, Clone)]
pub struct Playing {
    /// How much faster than it happened.
    pub speed: f64,
    /// The time at which it is to end, on the clock of whoever looks.
    pub ends: Time,
    /// The clock of the weaving, which follows the timeline.
    pub clock: Clock,
    /// Where it is told how far each recording is.
    pub sources: Sources,
}

impl Timeline {
    /// Reads captures as one timeline, each as the cluster of this name: each begins when the one before has ended.
    pub fn read(captures: &[(CompactString, Capture)], decoder: &Decoder, bad: &mut BadLines) -> Self {
        let mut timeline = Self::default();
        for (at, (cluster, capture)) in captures.iter().enumerate() {
            let mut next = Self { pieces: read_one(at, cluster, capture, decoder, bad), clusters: Vec::new() };
            if let (Some(end), Some(start)) = (timeline.end(), next.start()) {
                next.shift(end.since(start) + 1_000_000_000);
            }
            timeline.pieces.append(&mut next.pieces);
            timeline.clusters.push(cluster.clone());
        }
        timeline
    }

    fn start(&self) -> Option<Time> {
        self.pieces.first().map(|(time, ..)| *time)
    }

    fn end(&self) -> Option<Time> {
        self.pieces.last().map(|(time, ..)| *time)
    }

    /// How long it took when it happened.
    pub fn length(&self) -> Duration {
        let nanos = self.end().zip(self.start()).map_or(0, |(end, start)| end.since(start));
        Duration::from_nanos(nanos.unsigned_abs())
    }

    fn shift(&mut self, nanos: i64) {
        for (time, _, piece) in &mut self.pieces {
            *time = time.saturating_add(nanos);
            match piece {
                Piece::Fact(fact) => fact.shift(nanos),
                Piece::Span(span) => shift_span(span, nanos),
            }
        }
    }

    /// Hands everything in at its time. The clock of the weaving follows, and is the wall's again at the end.
    pub async fn play(mut self, intake: &Intake, playing: &Playing) -> Result<(), StoreError> {
        let Some((start, end)) = self.start().zip(self.end()) else { return Ok(()) };
        let shift = playing.ends.since(end);
        self.shift(shift);
        let (start, began) = (start.saturating_add(shift), Instant::now());
        let place = |cluster: &CompactString| playing.sources.of(cluster, SourceKind::Capture, "recording");
        let places: Vec<SourceHandle> = self.clusters.iter().map(place).collect();
        let mut pieces = self.pieces.into_iter().peekable();
        while let Some((time, cluster, piece)) = pieces.next() {
            let until = time.saturating_add(nanos(GRAIN.mul_f64(playing.speed)));
            let mut batch = vec![piece];
            while let Some((.., piece)) = pieces.next_if(|(next, other, _)| *next < until && *other == cluster) {
                batch.push(piece);
            }
            let since = Duration::from_nanos(time.since(start).unsigned_abs()).div_f64(playing.speed);
            tokio::time::sleep_until((began + since).into()).await;
            playing.clock.set(time);
            places[cluster].up_with("is being played");
            places[cluster].seen(batch.len() as u64);
            hand_in(batch, intake, &self.clusters[cluster]).await?;
        }
        for place in places {
            place.up_with("was played to its end");
        }
        playing.clock.release();
        Ok(())
    }
}

fn read_one(
    at: usize,
    cluster: &CompactString,
    capture: &Capture,
    decoder: &Decoder,
    bad: &mut BadLines,
) -> Vec<Placed> {
    let mut pieces: Vec<Placed> = Vec::new();
    capture.read(&ReadOptions::default(), bad, &mut |line, bad| {
        match Piece::of_line(decoder, line) {
            Ok(found) => pieces.extend(found.into_iter().map(|piece| (piece.told(), at, of_cluster(piece, cluster)))),
            Err(error) => bad.report_json(line, &error),
        }
        ControlFlow::Continue(())
    });
    pieces.sort_by_key(|(time, ..)| *time);
    pieces
}

/// The piece as a component of this cluster would have sent it.
fn of_cluster(mut piece: Piece, cluster: &CompactString) -> Piece {
    if let Piece::Span(span) = &mut piece {
        let mut resource = (*span.resource).clone();
        resource.push("k8s.cluster.name", cluster.as_str());
        span.resource = Arc::new(resource);
    }
    piece
}

async fn hand_in(batch: Vec<Piece>, intake: &Intake, cluster: &CompactString) -> Result<(), StoreError> {
    let (mut facts, mut spans) = (Vec::new(), Vec::new());
    for piece in batch {
        match piece {
            Piece::Fact(fact) => facts.push(fact),
            Piece::Span(span) => spans.push(*span),
        }
    }
    if !spans.is_empty() {
        intake.spans(otlp_protobuf(&spans)).await?;
    }
    if !facts.is_empty() {
        intake.facts(cluster, facts).await?;
    }
    Ok(())
}

fn shift_span(span: &mut Span, nanos: i64) {
    let by = |time: &mut Time| *time = time.saturating_add(nanos);
    by(&mut span.start);
    span.end.iter_mut().for_each(by);
    span.events.iter_mut().for_each(|event| by(&mut event.time));
}

fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}
