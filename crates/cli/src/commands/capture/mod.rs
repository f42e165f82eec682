//! `clew capture`: record a live cluster.

mod args;
mod progress;
mod report;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clew_collect::capture::Source;
use clew_collect::record::{self, Counts, NotRecorded, Notify, Plan};
use tokio::sync::watch;

pub(crate) use args::Capture;

use crate::args::Global;
use crate::signals;

impl Capture {
    /// Records until a signal comes or the time is over.
    pub(crate) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let plan = self.plan()?;
        crate::runtime()?.block_on(self.record(plan, global))?;
        Ok(ExitCode::SUCCESS)
    }

    async fn record(&self, plan: Plan, global: &Global) -> anyhow::Result<()> {
        let counts = Arc::new(Counts::default());
        let notify: Notify = Arc::new(progress::notice);
        let missing = self.audit_is_missing().then(|| NotRecorded {
            source: Source::Audit,
            reason: "name --audit-log FILE or --audit-webhook ADDR to record it".to_owned(),
        });
        if let Some(missing) = &missing {
            progress::note(missing.source, &format!("not recorded: {}", missing.reason));
        }
        self.warn_of_open_ports();
        let (stop, stopped) = watch::channel(false);
        signals::stop_on_signal(stop.clone())?;
        self.stop_after(stop);
        progress::started(&self.out);
        let begin = Instant::now();
        let shown = tokio::spawn(progress::show(Arc::clone(&counts), begin));
        let recorded = record::record(plan, counts, notify, stopped).await;
        shown.abort();
        progress::clear();
        let mut summary = recorded?;
        summary.not_recorded.extend(missing);
        report::print(&summary, &self.out, begin.elapsed(), global.output)
    }

    /// The receivers speak plain text and ask nobody who they are.
    fn warn_of_open_ports(&self) {
        for (source, address) in self.addresses() {
            if !address.ip().is_loopback() {
                progress::note(source, &format!("{address} is open to the network, without TLS or authentication"));
            }
        }
    }

    fn stop_after(&self, stop: watch::Sender<bool>) {
        let Some(duration) = self.duration else { return };
        tokio::spawn(async move {
            tokio::time::sleep(duration).await;
            stop.send_replace(true);
        });
    }
}
