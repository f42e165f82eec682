//! A journey of a capture.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clew_collect::replay::Replayed;
use clew_weave::Journey;

use super::Trace;
use super::kinds::Wanted;
use crate::args::Global;

impl Trace {
    pub(super) fn of_capture(&self, capture: &Path, global: &Global) -> anyhow::Result<ExitCode> {
        let mut replayed = self.replay.run(&[capture.to_owned()], self.wants_native(global.output))?;
        let native = clew_weave::reparent(std::mem::take(&mut replayed.native), &replayed.edges);
        let journey = self.find(&replayed, capture)?;
        if self.why {
            let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
            super::why::print(&replayed, journey, global.output, &mut out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let all = replayed.spans.iter().cloned().chain(native);
        let spans: Vec<_> = all.filter(|span| span.trace_id == journey.journey).collect();
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        self.print(journey, &spans, global.output, &mut out)?;
        Ok(ExitCode::SUCCESS)
    }

    fn find<'a>(&self, replayed: &'a Replayed, capture: &Path) -> anyhow::Result<&'a Journey> {
        let wanted = Wanted::read(&self.what, self.namespace.as_deref());
        let mut matching = replayed.journeys.iter().filter(|journey| wanted.is(journey));
        let Wanted::Id(id) = &wanted else {
            return matching.next_back().with_context(|| {
                let capture = capture.display();
                format!("no journey begins with {}: see `clew weave {capture}` for those there are", self.what)
            });
        };
        match (matching.next(), matching.next()) {
            (Some(journey), None) => Ok(journey),
            (Some(_), Some(_)) => bail!("several journeys' ids begin with {id}: write more of it"),
            (None, _) => bail!("no journey's id begins with {id}: see `clew weave {}`", capture.display()),
        }
    }
}
