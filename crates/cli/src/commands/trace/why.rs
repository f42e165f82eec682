//! Why each write of a journey is in it: the cause that won, and those that lost.

use std::io::Write;

use clew_collect::replay::Replayed;
use clew_weave::{Journey, Why};

use crate::args::Output;

/// How many causes of one write are shown.
const SHOWN: usize = 5;

/// Prints the cause of each write, and the candidates with their weights.
pub(super) fn print(
    replayed: &Replayed,
    journey: &Journey,
    output: Output,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let all = journey.writes.iter().filter_map(|audit| replayed.weaver.why(audit));
    for why in all {
        if output == Output::Text {
            text(&why, out)?;
        } else {
            writeln!(out, "{}", serde_json::to_string(&why)?)?;
        }
    }
    Ok(())
}

fn text(why: &Why, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{} {}", why.time, why.what)?;
    match (&why.cause, why.evidence) {
        (Some(cause), Some(evidence)) => writeln!(out, "    because of {cause} ({})", evidence.as_str())?,
        _ => writeln!(out, "    nothing earlier caused it")?,
    }
    for candidate in why.candidates.iter().take(SHOWN) {
        writeln!(out, "    {:>4}  {} ({}, {})", candidate.weight, candidate.what, candidate.relation, candidate.time)?;
    }
    Ok(())
}
