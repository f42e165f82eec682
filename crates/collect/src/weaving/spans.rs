//! Native spans of an OTLP request, each to the weaver of its cluster.

use clew_weave::fact::Fact;
use compact_str::CompactString;

use super::clusters::Clusters;

/// Gives the spans of a request that was checked to their weavers; says for how many there is none. Spans that name no
/// cluster belong to the given one.
pub(super) fn apply(request: &[u8], unnamed: &CompactString, clusters: &mut Clusters) -> clew_store::Result<u64> {
    let mut dropped = 0;
    let mut last = unnamed.clone();
    clew_store::otlp::native(request, |cluster, span| {
        let cluster = cluster.unwrap_or(unnamed);
        if last != cluster {
            last = cluster.into();
        }
        if !clusters.apply(&last, [Fact::Native(Box::new(span))]) {
            dropped += 1;
        }
    })?;
    Ok(dropped)
}
