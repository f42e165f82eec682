//! Captures through the weaver, all at once: what a post-mortem is made of.

use std::ops::ControlFlow;

use clew_model::{Span, TraceId};
use clew_weave::fact::Fact;
use clew_weave::{Config, Edge, Journey, Stats, Upserts, Weaver};
use rustc_hash::FxHashMap;

use crate::capture::{BadLines, Capture, Line, ReadOptions, Source};
use crate::decode::{Decoder, otlp};

/// What a replay gave.
#[derive(Debug, Default)]
pub struct Replayed {
    /// The journeys, in the order of their beginnings.
    pub journeys: Vec<Journey>,
    /// Their spans, without those of their segments.
    pub spans: Vec<Span>,
    /// Why each span hangs where it hangs.
    pub edges: Vec<Edge>,
    /// The native spans of the captures, if they were asked for.
    pub native: Vec<Span>,
    /// What came in and what was placed.
    pub stats: Stats,
    /// The weaver, which knows why each write is where it is.
    pub weaver: Weaver,
}

/// How captures are replayed.
pub struct Replay<'a> {
    /// What is read of them.
    pub options: ReadOptions,
    /// The cluster's name.
    pub cluster: String,
    /// Whether native spans are kept.
    pub keep_native: bool,
    /// Told of the bytes read so far, now and then.
    pub progress: &'a mut dyn FnMut(u64),
}

/// How many bytes are read between two reports of progress.
const REPORT: u64 = 1 << 20;

impl Replay<'_> {
    /// Reads the captures and weaves what they hold. All of it is one cluster's.
    pub fn run(&mut self, captures: &[Capture], decoder: &Decoder, bad: &mut BadLines) -> Replayed {
        // Nothing is forgotten and nothing settled before the end: a capture's files are read one after the other.
        let config =
            Config { cluster: self.cluster.clone(), batch: usize::MAX, keep_converged: i64::MAX, ..Config::default() };
        let mut weaver = Weaver::new(config);
        let mut native = Vec::new();
        let mut facts = Vec::new();
        let (mut bytes, mut reported) = (0, 0);
        for capture in captures {
            capture.read(&self.options, bad, &mut |line, bad| {
                bytes += line.bytes.len() as u64;
                if bytes - reported >= REPORT {
                    reported = bytes;
                    (self.progress)(bytes);
                }
                match decode(decoder, line, self.keep_native, &mut facts, &mut native) {
                    Ok(()) => facts.drain(..).for_each(|fact| weaver.apply(fact)),
                    Err(error) => bad.report_json(line, &error),
                }
                ControlFlow::Continue(())
            });
        }
        let now = weaver.now();
        let woven = weaver.advance(now);
        Replayed { native, stats: weaver.stats(), weaver, ..in_order(woven) }
    }
}

fn decode(
    decoder: &Decoder,
    line: Line<'_>,
    keep_native: bool,
    facts: &mut Vec<Fact>,
    native: &mut Vec<Span>,
) -> Result<(), serde_json::Error> {
    if line.source != Source::Otlp || !keep_native {
        return decoder.line(line.source, line.bytes, facts);
    }
    let spans = otlp::spans(line.bytes)?;
    facts.extend(spans.iter().map(|span| Fact::Native(Box::new(otlp::native(span)))));
    native.extend(spans);
    Ok(())
}

fn in_order(woven: Upserts) -> Replayed {
    let Upserts { mut journeys, mut spans, edges, .. } = woven;
    journeys.sort_by_key(|journey| (journey.start, journey.journey));
    let order: FxHashMap<TraceId, usize> = (0..).zip(&journeys).map(|(at, journey)| (journey.journey, at)).collect();
    spans.sort_by_key(|span| order.get(&span.trace_id).copied());
    Replayed { journeys, spans, edges, ..Replayed::default() }
}
