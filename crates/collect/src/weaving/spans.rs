//! Native spans of an OTLP request as facts, by cluster.

use clew_weave::fact::Fact;
use compact_str::CompactString;

/// The facts of a request that was checked. Spans that name no cluster belong to the given one.
pub(super) fn facts(request: &[u8], unnamed: &CompactString) -> clew_store::Result<Vec<(CompactString, Vec<Fact>)>> {
    let mut clusters: Vec<(CompactString, Vec<Fact>)> = Vec::new();
    clew_store::otlp::native(request, |cluster, span| {
        let cluster = cluster.unwrap_or(unnamed);
        let fact = Fact::Native(Box::new(span));
        // A request comes from one component, or from a collector of one cluster: there is hardly ever a second.
        match clusters.iter_mut().find(|(known, _)| known == cluster) {
            Some((_, facts)) => facts.push(fact),
            None => clusters.push((cluster.into(), vec![fact])),
        }
    })?;
    Ok(clusters)
}
